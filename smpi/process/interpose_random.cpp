// SPDX-License-Identifier: MIT
//
// Pseudo-random numbers whose state libc keeps for the process: here per rank, with libc's own generators, so that a
// program sees the sequence that it would see alone. "True" randomness (getrandom) is a fixed sequence per rank: an
// execution must be a function of its inputs.
#include <sys/random.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "simcore/actor.hpp"
#include "simcore/support/hash.hpp"
#include "smpi/process/interposers.hpp"

namespace rehearse::smpi {
namespace {

random_data& generator() {
  RankState& rank = this_rank();
  if (rank.random.state == nullptr) initstate_r(1, rank.random_state, sizeof rank.random_state, &rank.random);
  return rank.random;
}

long rank_random() {
  std::int32_t value = 0;
  random_r(&generator(), &value);
  return value;
}

int rank_rand() { return static_cast<int>(rank_random()); }
void rank_srandom(unsigned seed) { srandom_r(seed, &generator()); }

// libc returns the buffer that begins one word before the state.
char* state_buffer(const random_data& data) { return reinterpret_cast<char*>(data.state - 1); }

char* rank_initstate(unsigned seed, char* buffer, std::size_t bytes) {
  char* old = state_buffer(generator());
  return initstate_r(seed, buffer, bytes, &generator()) == 0 ? old : nullptr;
}

char* rank_setstate(char* buffer) {
  char* old = state_buffer(generator());
  return setstate_r(buffer, &generator()) == 0 ? old : nullptr;
}

drand48_data& generator48() { return this_rank().drand48; }

double rank_drand48() {
  double value = 0;
  drand48_r(&generator48(), &value);
  return value;
}
double rank_erand48(unsigned short state[3]) {
  double value = 0;
  erand48_r(state, &generator48(), &value);
  return value;
}
long rank_lrand48() {
  long value = 0;
  lrand48_r(&generator48(), &value);
  return value;
}
long rank_nrand48(unsigned short state[3]) {
  long value = 0;
  nrand48_r(state, &generator48(), &value);
  return value;
}
long rank_mrand48() {
  long value = 0;
  mrand48_r(&generator48(), &value);
  return value;
}
long rank_jrand48(unsigned short state[3]) {
  long value = 0;
  jrand48_r(state, &generator48(), &value);
  return value;
}
void rank_srand48(long seed) { srand48_r(seed, &generator48()); }
unsigned short* rank_seed48(unsigned short seed[3]) {
  seed48_r(seed, &generator48());
  return generator48().__old_x;
}
void rank_lcong48(unsigned short parameters[7]) { lcong48_r(parameters, &generator48()); }

// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014), seeded by the rank.
std::uint64_t next_entropy() {
  RankState& rank = this_rank();
  if (rank.entropy == 0) rank.entropy = std::uint64_t{current_actor().value + 1} << 32;
  return spread(rank.entropy += golden_ratio);
}

void fill(void* buffer, std::size_t bytes) {
  auto* to = static_cast<std::byte*>(buffer);
  for (std::size_t at = 0; at < bytes; at += 8) {
    const std::uint64_t word = next_entropy();
    std::memcpy(to + at, &word, std::min<std::size_t>(8, bytes - at));
  }
}

int rank_getentropy(void* buffer, std::size_t bytes) {
  if (bytes > 256) {
    errno = EIO;
    return -1;
  }
  fill(buffer, bytes);
  return 0;
}

std::uint32_t rank_arc4random() { return static_cast<std::uint32_t>(next_entropy()); }
void rank_arc4random_buf(void* buffer, std::size_t bytes) { fill(buffer, bytes); }
std::uint32_t rank_arc4random_uniform(std::uint32_t bound) {
  return bound < 2 ? 0 : static_cast<std::uint32_t>(next_entropy() % bound);
}

// std::random_device, for which libstdc++ uses an instruction of the processor.
unsigned rank_random_device(void*) { return static_cast<unsigned>(next_entropy() >> 32); }

}  // namespace

ssize_t rank_getrandom(void* buffer, std::size_t bytes, unsigned) {
  fill(buffer, bytes);
  return static_cast<ssize_t>(bytes);
}

bool is_random_device(const char* path) {
  return std::strcmp(path, "/dev/urandom") == 0 || std::strcmp(path, "/dev/random") == 0;
}

InterposerList random_device_interposers() {
  return {{"_ZNSt13random_device9_M_getvalEv", function_address(rank_random_device)},
          {"_ZNSt13random_device16_M_getval_pretr1Ev", function_address(rank_random_device)}};
}

InterposerList random_interposers() {
  return {{"rand", function_address(rank_rand)},
          {"srand", function_address(rank_srandom)},
          {"random", function_address(rank_random)},
          {"srandom", function_address(rank_srandom)},
          {"initstate", function_address(rank_initstate)},
          {"setstate", function_address(rank_setstate)},
          {"drand48", function_address(rank_drand48)},
          {"erand48", function_address(rank_erand48)},
          {"lrand48", function_address(rank_lrand48)},
          {"nrand48", function_address(rank_nrand48)},
          {"mrand48", function_address(rank_mrand48)},
          {"jrand48", function_address(rank_jrand48)},
          {"srand48", function_address(rank_srand48)},
          {"seed48", function_address(rank_seed48)},
          {"lcong48", function_address(rank_lcong48)},
          {"getrandom", function_address(rank_getrandom)},
          {"getentropy", function_address(rank_getentropy)},
          {"arc4random", function_address(rank_arc4random)},
          {"arc4random_buf", function_address(rank_arc4random_buf)},
          {"arc4random_uniform", function_address(rank_arc4random_uniform)}};
}

}  // namespace rehearse::smpi
