// SPDX-License-Identifier: MIT
//
// Reads the time stamp counter, the thread's processor time and the kernel's count of instructions.
//
// Source: perf_event_open(2); Intel 64 Architectures Software Developer's Manual, vol. 3B, 18.17 (invariant counter).
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string>

#include "simcore/actor.hpp"
#include "simcore/actor_context.hpp"
#include "simcore/application_meter.hpp"
#include "simcore/compute/resumed_stretch.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse {
namespace {

constexpr double calibration_seconds = 500e-6;
constexpr int calibration_readings = 64;
constexpr std::size_t empty_stretches = 255;
constexpr std::uint32_t brief_stretches = 61;  // a prime, because programs call in regular patterns
constexpr double brief_weight = 1.0 / 8;       // weight of the newest measurement in the moving average
constexpr double exact_seconds = 50e-6;        // the scheduler interrupts no stretch shorter than this

double seconds_of(clockid_t clock) {
  timespec time;
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

Error no_instructions(int reason) {
  std::string text = "instructions cannot be counted here: ";
  if (reason == EACCES || reason == EPERM)
    text += "the kernel does not allow it (kernel.perf_event_paranoid must be 2 or less, and containers must not "
            "forbid perf_event_open)";
  else if (reason == ENOENT || reason == EOPNOTSUPP || reason == ENODEV)
    text += "the processor, or the virtual machine, shows no counter of instructions";
  else if (reason == ENOSYS) text += "the kernel has no perf_event_open";
  else text += std::string("perf_event_open: ") + std::strerror(reason);
  return Error{text + "; computation can be measured by time instead (--compute measured)"};
}

int open_instruction_counter() {
  perf_event_attr what{};
  what.size = sizeof what;
  what.type = PERF_TYPE_HARDWARE;
  what.config = PERF_COUNT_HW_INSTRUCTIONS;
  what.exclude_kernel = 1;
  what.exclude_hv = 1;
  return static_cast<int>(syscall(SYS_perf_event_open, &what, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

}  // namespace

Result<std::unique_ptr<ApplicationMeter>> ApplicationMeter::make(ApplicationCost what, double seconds_per_instruction) {
  REHEARSE_ASSERT(what != ApplicationCost::none, "a meter without a cost to measure");
  std::unique_ptr<ApplicationMeter> meter(new ApplicationMeter);
  if (what == ApplicationCost::measured) {
    meter->calibrate();
    return meter;
  }
  meter->counter_ = open_instruction_counter();
  if (meter->counter_ < 0) return no_instructions(errno);
  meter->seconds_per_tick_ = seconds_per_instruction;
  meter->longest_exact_ = ~std::uint64_t{0};
  meter->measure_empty();
  return meter;
}

ApplicationMeter::~ApplicationMeter() {
  if (counter_ >= 0) close(counter_);
}

std::uint64_t ApplicationMeter::count() const {
  if (counter_ < 0) return __rdtsc();
  std::uint64_t instructions = 0;
  const ssize_t got = read(counter_, &instructions, sizeof instructions);
  REHEARSE_ASSERT(got == sizeof instructions, "the counter of instructions can be read");
  return instructions;
}

void ApplicationMeter::calibrate() {
  const double begin = seconds_of(CLOCK_MONOTONIC);
  const std::uint64_t first = __rdtsc();
  double end = begin;
  while (end < begin + calibration_seconds) end = seconds_of(CLOCK_MONOTONIC);
  seconds_per_tick_ = (end - begin) / static_cast<double>(__rdtsc() - first);
  longest_exact_ = static_cast<std::uint64_t>(exact_seconds / seconds_per_tick_);
  const std::uint64_t before = __rdtsc();
  std::uint64_t after = before;
  for (int i = 0; i < calibration_readings; ++i) {
    _mm_lfence();
    after = __rdtsc();
  }
  reading_ticks_ = (after - before) / calibration_readings;
  note_reference(__rdtsc());
  measure_empty();
  calibrate_switch([] {});
}

void ApplicationMeter::calibrate_switch(void (*at_switch)()) {
  if (counter_ >= 0) return;  // instructions of the kernel do not count
  resumed_ticks_ = empty_ticks_;
  resumed_ticks_ += compute::resumed_stretch_ticks(*this, at_switch);
}

// Measures the overhead of an empty stretch between two calls. Takes the median, because some are interrupted.
void ApplicationMeter::measure_empty() {
  ActorContext nobody;
  nobody.meter = this;
  ActorContext* const before = current_context();
  set_current_context(&nobody);
  std::array<std::uint64_t, empty_stretches> counts;
  go();
  for (std::uint64_t& count : counts) {
    { const LibraryCode library; }
    count = exchange(0);
  }
  pause();
  set_current_context(before);
  std::ranges::nth_element(counts, counts.begin() + empty_stretches / 2);
  empty_ticks_ = resumed_ticks_ = counts[empty_stretches / 2];
  used_ = 0;
}

void ApplicationMeter::note_reference(std::uint64_t ticks) {
  reference_ticks_ = ticks;
  reference_seconds_ = seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

// The fences complete earlier instructions before the clock is read, which matters for stretches of tens of ns.
void ApplicationMeter::go() {
  overhead_ = std::exchange(is_switched_, false) ? resumed_ticks_ : empty_ticks_;
  _mm_lfence();
  go_on_from(count());
}

void ApplicationMeter::go_on_from(std::uint64_t now) {
  is_going_ = true;
  began_ = now;
  if (counter_ < 0 && began_ - reference_ticks_ > longest_exact_) {
    note_reference(began_);
    began_ = count();
  }
}

bool ApplicationMeter::pause() {
  if (!is_going_) return false;
  is_going_ = false;
  _mm_lfence();
  paused_ = count();
  const std::uint64_t whole = paused_ - began_;
  const std::uint64_t used = whole - std::min(whole, overhead_);
  used_ += used > longest_exact_ ? without_others(used, paused_) : used;
  return true;
}

bool ApplicationMeter::pause_for_brief() { return pause(); }

// A stretch that was interrupted, or that ran with cold caches, is not typical of the others.
void ApplicationMeter::go_after_brief() {
  overhead_ = empty_ticks_;
  _mm_lfence();  // as in go()
  const std::uint64_t now = count();
  go_on_from(now);
  if (counter_ >= 0) return;
  const std::uint64_t whole = now - paused_;
  const auto took = static_cast<double>(whole - std::min(whole, reading_ticks_));
  brief_ticks_ += brief_weight * (std::min(took, 2 * brief_ticks_ + 64) - brief_ticks_);
  take_off_left_out();
  until_measured_ = brief_stretches;
}

void ApplicationMeter::take_off_left_out() {
  const auto ticks = static_cast<std::uint64_t>(left_out_ * brief_ticks_);
  used_ -= std::min(used_, ticks);
  left_out_ = 0;
}

// Subtracts, in proportion, the ticks since the reference in which this thread did not run.
std::uint64_t ApplicationMeter::without_others(std::uint64_t used, std::uint64_t now) {
  const double passed = static_cast<double>(now - reference_ticks_) * seconds_per_tick_;
  const double before = reference_seconds_;
  note_reference(now);
  const double ran = reference_seconds_ - before;
  return ran < passed ? static_cast<std::uint64_t>(static_cast<double>(used) * ran / passed) : used;
}

double ApplicationMeter::take() {
  if (left_out_ > 0) take_off_left_out();
  const double seconds = static_cast<double>(used_) * seconds_per_tick_;
  used_ = 0;
  return seconds;
}

}  // namespace rehearse
