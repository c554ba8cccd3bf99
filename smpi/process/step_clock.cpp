// SPDX-License-Identifier: MIT
//
// The timer and its signal handler.
#include "smpi/process/step_clock.hpp"

#include <fcntl.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "simcore/actor_context.hpp"
#include "simcore/operation.hpp"
#include "smpi/buffers/exposed.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/process/crash.hpp"
#include "smpi/process/files.hpp"
#include "smpi/process/heap.hpp"
#include "smpi/process/interposers.hpp"
#include "smpi/process/process_memory.hpp"
#include "smpi/process/rank_threads.hpp"

namespace rehearse::smpi {
namespace {

constexpr double shortest_period = 0.002, longest_period = 0.01;  // seconds between two signals
constexpr double stop_period = 0.1;                               // likewise, without limits
constexpr double evasion_seconds = 1;
constexpr double stop_grace_seconds = 0.25;  // a step may continue this long after the stop of the run

double now(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

bool has_limits(const StepLimits& limits) { return !std::isinf(limits.seconds) || limits.process_bytes != UINT64_MAX; }

double period_of(const StepLimits& limits) {
  if (!has_limits(limits)) return stop_period;
  return std::clamp(limits.seconds / 16, shortest_period, longest_period);
}

// Nobody waits for the rank meanwhile, unless for its messages: another rank may end all of them (MPI_Abort) before.
void let_others_have_as_long(RankState& rank, double seconds) {
  rank.context.before_asking = nullptr;
  ask(Sleep{Duration::from_seconds(seconds)});
}

[[noreturn]] void land_late(RankState* rank) {
  const RankThreads* threads = find_per_rank<RankThreads>();
  const StepClock& clock = *rank->world->clock;
  const bool took_turns = clock.limits.ends_turns && can_end_turns(clock.turn);
  if (threads != nullptr && (threads->running != 0 || threads->alive > 0) && !took_turns)
    fail_rank(
        FailureKind::unsupported, "unsupported.function",
        "a loop of a thread (it may wait for another thread of the rank; a thread runs until it waits in a function)");
  if (sees_shared_memory())
    fail_rank(FailureKind::unsupported, "unsupported.feature", "a loop that may poll a shared window by loads");
  const double limit = clock.limits.seconds;
  let_others_have_as_long(*rank, limit);
  char text[160];
  std::snprintf(text, sizeof text, "does not reach its next call within %g second%s (--max-step-seconds allows more)",
                limit, limit == 1 ? "" : "s");
  fail_rank(FailureKind::crash, "progress.step", text);
}

[[noreturn]] void land_given_up(RankState*) { fail_rank(FailureKind::given_up, "", "was not waited for"); }

// Whether a check needs the memory for files: it keeps their content, and more copies during a call.
bool is_used_for_files(const RankState& rank, std::uint64_t used, std::uint64_t allowed, std::uint64_t& kept) {
  if (rank.files == nullptr) return false;
  kept = rank.files->kept_bytes();
  return std::string_view(creation_site().function).starts_with("MPI_File_") || (kept > 0 && used < allowed + kept);
}

// Only a rank that uses most of the memory alone is at fault; otherwise all ranks together need too much, or their
// files.
[[noreturn]] void land_without_memory(RankState* rank) {
  char text[160];
  const std::uint64_t limit = rank->world->clock->limits.process_bytes;
  const auto used = static_cast<std::uint64_t>(rank->heap->high_water() - rank->heap->begin());
  std::uint64_t kept = 0;
  if (is_used_for_files(*rank, used, limit / 8 * 7, kept)) {
    std::snprintf(text, sizeof text,
                  "files of so many bytes (%llu are in the memory of a rank, and copies; --max-memory allows more)",
                  static_cast<unsigned long long>(kept));
    fail_rank(FailureKind::unsupported, "unsupported.feature", text);
  }
  if (used < limit / 8 * 7) {
    std::snprintf(text, sizeof text,
                  "more memory for all ranks together (%llu bytes are in use; --max-memory allows more)",
                  static_cast<unsigned long long>(limit));
    fail_rank(FailureKind::unsupported, "unsupported.feature", text);
  }
  std::snprintf(text, sizeof text, "the memory is used up: %llu bytes are in use (--max-memory allows more)",
                static_cast<unsigned long long>(limit));
  fail_rank(FailureKind::crash, "crash.memory", text);
}

bool is_given_up(StepClock& clock, double wall) {
  if (clock.given_up_wall == 0 && clock.limits.stop.stop_requested()) clock.given_up_wall = wall;
  return clock.given_up_wall != 0 && wall - clock.given_up_wall >= stop_grace_seconds;
}

// The function that reports the limit that the rank has exceeded in this step; null: none.
void (*exceeded_limit(StepClock& clock))(RankState*) {
  const double wall = now(CLOCK_MONOTONIC);
  if (!has_limits(clock.limits)) return is_given_up(clock, wall) ? land_given_up : nullptr;
  const double processor = now(CLOCK_THREAD_CPUTIME_ID);
  if (clock.step != clock.seen_step) {
    clock.seen_step = clock.step;
    clock.seen_wall = wall;
    clock.seen_processor = processor;
    clock.seen_bytes = process_bytes();
    clock.deferred_interrupts = 0;
  }
  if (is_given_up(clock, wall)) return land_given_up;
  const double taken = wall - clock.seen_wall, computed = processor - clock.seen_processor;
  const bool waits = computed < taken / 1000;
  if (computed >= clock.limits.seconds || (waits && taken >= clock.limits.seconds)) return land_late;
  // Memory of the explorer is not the rank's fault: a rank is interrupted only if it grows by 1/16 of the limit.
  const std::uint64_t bytes = process_bytes(), limit = clock.limits.process_bytes;
  return bytes > limit && bytes > clock.seen_bytes + limit / 16 ? land_without_memory : nullptr;
}

bool is_on_rank_stack(const RankState& rank, const greg_t* registers) {
  return rank.covers(reinterpret_cast<void*>(registers[REG_RSP]));
}

void set_period(timer_t timer, double seconds) {
  itimerspec often{};
  often.it_interval.tv_nsec = often.it_value.tv_nsec = static_cast<long>(seconds * 1e9);
  timer_settime(timer, 0, &often, nullptr);
}

void look_at_turn(StepClock& clock, RankState& rank, const void* code, siginfo_t* info, void* raw) {
  if (!clock.limits.ends_turns || !has_waiting_threads(rank, code)) return;
  if (!std::exchange(clock.is_often, true) && period_of(clock.limits) > longest_period)
    set_period(clock.timer, longest_period);
  const double processor = now(CLOCK_THREAD_CPUTIME_ID);
  if (!is_turn_over(clock.turn, rank, code, clock.step, processor)) return;
  if (note_end(clock.turn, processor) >= clock.limits.seconds) divert(rank, info, raw, land_late);
  else end_turn(clock.turn, raw);
}

void on_timer(int, siginfo_t* info, void* raw) {
  const int error = errno;
  RankState* rank = running_rank();
  const auto* registers = static_cast<ucontext_t*>(raw)->uc_mcontext.gregs;
  if (rank != nullptr && rank->crash.signal == 0 && is_on_rank_stack(*rank, registers) &&
      rank->world->clock != nullptr) {
    StepClock& clock = *rank->world->clock;
    const auto* code = reinterpret_cast<void*>(registers[REG_RIP]);
    if (const auto landing = exceeded_limit(clock); landing != nullptr && !in_host_allocation()) {
      const bool is_application_code = rank->covers(code);
      const bool is_patient = ++clock.deferred_interrupts < evasion_seconds / period_of(clock.limits);
      if (is_application_code || (!is_patient && landing != land_without_memory) || landing == land_without_memory)
        divert(*rank, info, raw, landing);
    } else if (landing == nullptr) {
      look_at_turn(clock, *rank, code, info, raw);
    }
  }
  errno = error;
}

}  // namespace

StepTimer::StepTimer(const StepLimits& limits) : process_(getpid()) {
  clock_.limits = limits;
  if (!has_limits(limits) && !limits.stop.can_stop() && !limits.ends_turns) return;
  struct sigaction ours {};
  ours.sa_sigaction = on_timer;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  sigemptyset(&ours.sa_mask);
  sigaction(SIGALRM, &ours, &previous_);
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGALRM;
  event._sigev_un._tid = gettid();
  goes_ = timer_create(CLOCK_MONOTONIC, &event, &clock_.timer) == 0;
  if (goes_) set_period(clock_.timer, period_of(limits));
}

StepTimer::~StepTimer() {
  if (!goes_) return;
  if (getpid() == process_) timer_delete(clock_.timer);
  sigaction(SIGALRM, &previous_, nullptr);
}

}  // namespace rehearse::smpi
