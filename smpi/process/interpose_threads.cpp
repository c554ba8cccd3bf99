// SPDX-License-Identifier: MIT
//
// Keys of thread-specific data. libc has 1024 for the whole process: a thousand ranks with one key each would use them
// up. Each rank has its own table, and so has each thread that it creates
// (rank_threads.hpp).
#include <pthread.h>
#include <threads.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <utility>
#include <vector>

#include "smpi/per_rank.hpp"
#include "smpi/process/interposers.hpp"

namespace rehearse::smpi {
namespace {

constexpr unsigned keys_max = thread_keys_max;

using Destructor = void (*)(void*);
struct KeyDestructors {
  std::vector<Destructor> of_key;
};

// Keys are never reused.
int rank_key_create(pthread_key_t* key, Destructor destructor) {
  RankState& rank = this_rank();
  if (rank.thread_keys == keys_max) return EAGAIN;
  per_rank<KeyDestructors>().of_key.push_back(destructor);
  *key = rank.thread_keys++;
  return 0;
}

bool has_values(RankState& rank) {
  if (rank.thread_values == nullptr) rank.thread_values = static_cast<void**>(std::calloc(keys_max, sizeof(void*)));
  return rank.thread_values != nullptr;
}

int rank_key_delete(pthread_key_t key) {
  RankState& rank = this_rank();
  if (key >= rank.thread_keys) return EINVAL;
  per_rank<KeyDestructors>().of_key[key] = nullptr;
  if (rank.thread_values != nullptr) rank.thread_values[key] = nullptr;
  return 0;
}

int rank_setspecific(pthread_key_t key, const void* value) {
  RankState& rank = this_rank();
  if (key >= rank.thread_keys) return EINVAL;
  if (!has_values(rank)) return ENOMEM;
  rank.thread_values[key] = const_cast<void*>(value);
  return 0;
}

void* rank_getspecific(pthread_key_t key) {
  const RankState& rank = this_rank();
  return key < rank.thread_keys && rank.thread_values != nullptr ? rank.thread_values[key] : nullptr;
}

int rank_tss_create(tss_t* key, tss_dtor_t destructor) {
  return rank_key_create(key, destructor) == 0 ? thrd_success : thrd_error;
}
int rank_tss_set(tss_t key, void* value) { return rank_setspecific(key, value) == 0 ? thrd_success : thrd_error; }
void rank_tss_delete(tss_t key) { rank_key_delete(key); }

}  // namespace

// A destructor may set values again, so there are several rounds.
void call_key_destructors() {
  const RankState& rank = this_rank();
  KeyDestructors* known = find_per_rank<KeyDestructors>();
  if (known == nullptr || rank.thread_values == nullptr) return;
  bool is_done = false;
  for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS && !is_done; ++round) {
    is_done = true;
    for (std::size_t key = 0; key < known->of_key.size(); ++key) {
      if (known->of_key[key] == nullptr || rank.thread_values[key] == nullptr) continue;
      is_done = false;
      known->of_key[key](std::exchange(rank.thread_values[key], nullptr));
    }
  }
}

InterposerList thread_interposers() {
  return {{"pthread_key_create", function_address(rank_key_create)},
          {"__pthread_key_create", function_address(rank_key_create)},
          {"pthread_key_delete", function_address(rank_key_delete)},
          {"pthread_setspecific", function_address(rank_setspecific)},
          {"__pthread_setspecific", function_address(rank_setspecific)},
          {"pthread_getspecific", function_address(rank_getspecific)},
          {"__pthread_getspecific", function_address(rank_getspecific)},
          {"tss_create", function_address(rank_tss_create)},
          {"tss_set", function_address(rank_tss_set)},
          {"tss_get", function_address(rank_getspecific)},
          {"tss_delete", function_address(rank_tss_delete)}};
}

}  // namespace rehearse::smpi
