// SPDX-License-Identifier: MIT
//
// See rank_threads.hpp. While a thread runs, it has its own thread_local variables and its own values of keys.
#include "smpi/process/rank_threads.hpp"

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "smpi/per_rank.hpp"
#include "smpi/process/interposers.hpp"
#include "smpi/report.hpp"

namespace rehearse::smpi {
namespace {

// While it exists, the thread_local variables of a rank's images have their initial values. Its destructor restores the
// previous ones.
class FreshVariables {
 public:
  explicit FreshVariables(RankState& rank) : rank_(rank), bytes_(rank.world->images.tls_bytes), kept_(begin(), end()) {
    std::memset(begin(), 0, bytes_);
    for (const Image* image : program_scope(rank.world->images)) {
      if (image->tls_below == 0) continue;
      const Segment& segment = *image->file->tls();
      std::memcpy(end() - image->tls_below, rank.base + image->offset + segment.address, segment.file_bytes);
    }
    handlers_ = std::exchange(rank.thread_handlers, nullptr);
    if (rank.thread_values == nullptr) return;
    values_ = rank.thread_values;
    rank.thread_values = static_cast<void**>(std::calloc(thread_keys_max, sizeof(void*)));
    if (rank.thread_values == nullptr) fail_rank(FailureKind::crash, "crash.memory", "the memory is used up");
  }
  ~FreshVariables() {
    call_thread_handlers();
    rank_.thread_handlers = handlers_;
    if (values_ != nullptr) {
      std::free(rank_.thread_values);
      rank_.thread_values = values_;
    }
    std::memcpy(begin(), kept_.data(), bytes_);
  }
  FreshVariables(const FreshVariables&) = delete;
  FreshVariables& operator=(const FreshVariables&) = delete;

 private:
  std::byte* end() const { return rank_.base + rank_.world->layout.thread_pointer; }
  std::byte* begin() const { return end() - bytes_; }

  RankState& rank_;
  std::size_t bytes_;
  std::vector<std::byte> kept_;
  ExitHandler* handlers_ = nullptr;
  void** values_ = nullptr;
};

// Whether the function starts threads of a team, which wait for each other.
bool makes_teams(const RankState& rank, const void* function) {
  if (!rank.covers(function)) return true;  // a function of a library that the ranks share
  const auto offset = static_cast<std::uint64_t>(static_cast<const std::byte*>(function) - rank.base);
  const Image* image = rank.world->images.find(offset);
  if (image == nullptr) return false;
  const std::string& path = image->file->path();
  const std::string name = path.substr(path.rfind('/') + 1);
  return name.starts_with("libgomp") || name.starts_with("libomp") || name.starts_with("libiomp");
}

// A separate function, because a jump may damage the variables of the function that calls setjmp.
[[gnu::noinline]] void run_until_end(RankThread& thread, void* (*function)(void*), void* argument) {
  if (setjmp(thread.end) == 0) thread.result = function(argument);
}

}  // namespace

bool has_threads() {
  const RankThreads* threads = find_per_rank<RankThreads>();
  return threads != nullptr && !threads->created.empty();
}

void refuse_teams(const void* function) {
  if (makes_teams(this_rank(), function))
    fail_rank(FailureKind::unsupported, "unsupported.function",
              "pthread_create (threads of a team wait for each other; OpenMP needs OMP_NUM_THREADS unset or 1)");
}

ThreadNumber run_thread(void* (*function)(void*), void* argument) {
  RankState& rank = this_rank();
  report_outcomes_left_out("pthread_create, whose thread runs to its end before its creator continues");
  RankThreads& threads = per_rank<RankThreads>();
  const ThreadNumber creator = threads.running;
  auto* thread = new RankThread;  // kept for a join
  threads.created.push_back(thread);
  const auto number = static_cast<ThreadNumber>(threads.created.size());
  switch_thread(number);
  {
    const FreshVariables variables(rank);
    run_until_end(*thread, function, argument);
  }
  thread->is_over = true;
  switch_thread(creator);
  return number;
}

void end_thread(void* result) {
  RankThreads& threads = per_rank<RankThreads>();
  if (threads.running == 0) exit_rank(0);  // all other threads have ended
  RankThread& thread = *threads.created[threads.running - 1];
  thread.result = result;
  std::longjmp(thread.end, 1);
}

void refuse_waiting(const char* function) {
  fail_rank(FailureKind::unsupported, "unsupported.function",
            std::string(function) +
                " (it would wait for another thread of the rank; each thread runs to its end when it "
                "is created)");
}

void note_idling() {
  constexpr std::uint32_t most = 10'000;
  RankThreads* threads = find_per_rank<RankThreads>();
  if (threads == nullptr || threads->running == 0 || ++threads->idled < most) return;
  refuse_waiting("a loop that sleeps, yields or reads the clock");
}

}  // namespace rehearse::smpi
