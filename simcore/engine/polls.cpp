// SPDX-License-Identifier: MIT
//
// See polls.hpp.
#include "simcore/engine/polls.hpp"

#include <algorithm>
#include <bit>
#include <utility>
#include <variant>

#include "simcore/support/hash.hpp"

namespace rehearse::engine {

namespace {

constexpr double steps_per_row = 16;
constexpr double longest_step = 1;             // in seconds: finds an endless loop before simulated time ends
constexpr std::uint32_t free_rounds_max = 16;  // before a row of polls counts as spinning
constexpr std::uint32_t polls_at_one_date = 65536;
constexpr std::uint32_t plain_looks = 4096;    // in a row: a program may measure the clock, or short code with it
constexpr std::uint32_t many_looks = 1 << 20;  // in a row: about a second of this machine's time
constexpr double leisurely_seconds = 2e-7;     // of application code between two looks, on average, in so long a row
constexpr double longest_look = 1e-3;          // in seconds

// The wait of an actor that may have a deadline, after a row of unsuccessful polls of this duration.
double step_after(Duration row, double shortest, double longest) {
  return std::clamp(row.seconds() / steps_per_row, shortest, std::max(longest, shortest));
}

// Whether an actor that reads the clock repeatedly does nothing else.
bool waits_for_a_date(const ClockRow& row) {
  if (row.length < plain_looks) return false;
  // Not the average: the system interrupts some looks. On one virtual machine, a fifth of them measured 80 ns too much.
  if (row.busy_looks < row.length / 4 * 3) return true;
  return row.length >= many_looks && row.application_seconds < leisurely_seconds * row.length;
}

// A hash of the operation: different polls have different hashes.
std::uint64_t key_of(const Operation& operation) {
  std::uint64_t key = operation.index();
  if (const auto* observe = std::get_if<Observe>(&operation)) {
    key = hash_with(key, static_cast<std::uint64_t>(observe->quantifier));
    for (const RequestId request : observe->requests) key = hash_with(key, request.value);
  } else if (const auto* probe = std::get_if<Probe>(&operation)) {
    const auto tag = probe->pattern.tag ? static_cast<std::uint64_t>(static_cast<std::uint32_t>(*probe->pattern.tag))
                                        : ~std::uint64_t{0};
    key = hash_with(hash_with(key, static_cast<std::uint64_t>(probe->pattern.context.value)), tag);
    key = hash_with(key, probe->pattern.source ? probe->pattern.source->value : ~std::uint64_t{0});
  }
  return key;
}

}  // namespace

Duration Polls::cost_of_look(ActorId id, ActorState& actor) {
  ClockRow& row = actor.looks;
  const bool goes_on = row.length > 0 && row.next == actor.operations;
  const auto begin_row = [&] {
    row = {};
    row.began = agenda_.now();
  };
  if (!goes_on) begin_row();
  double seconds = run_.options.clock_seconds;
  if (waits_for_a_date(row)) {
    const std::uint64_t calls = run_.program.call_chain(id);
    if (row.calls == calls) seconds = step_after(agenda_.now() - row.began, seconds, longest_look);
    else if (row.calls) begin_row();
    row.calls = calls;
  }
  row.next = actor.operations + 1;
  ++row.length;
  return Duration::from_seconds(seconds);
}

// The mark moves to the polls number 1, 2, 4, 8..., which finds a cycle of any length.
// Source: R. P. Brent, An improved Monte Carlo factorization algorithm, 1980.
bool Polls::spins(ActorState& actor) {
  PollRow& row = actor.polls;
  if (row.length++ == 0) row.began = agenda_.now();
  const std::uint64_t key = key_of(*actor.operation);
  const bool comes_again = row.since_wait > 0 && key == row.mark;
  if (comes_again && row.free_rounds >= free_rounds_max) return true;
  if (comes_again) {
    ++row.free_rounds;
    row.since_wait = 0;
  }
  if (std::has_single_bit(++row.since_wait)) row.mark = key;
  return row.since_wait > polls_at_one_date;
}

bool Polls::wait(ActorId id, ActorState& actor) {
  PollRow& row = actor.polls;
  row.since_wait = 0;
  if (is_hanging(actor)) {
    run_.is_stopped = true;
  } else if (row.asks_clock) {
    const double step = step_after(agenda_.now() - row.began, run_.options.poll_seconds, longest_step);
    agenda_.set_timer(id, actor, std::max(Duration{1}, Duration::from_seconds(step)));
  } else {
    idle(id, actor);
  }
  return actors_.wait(actor, Wait::poll);
}

bool Polls::wait_idle(ActorId id, ActorState& actor) {
  if (is_hanging(actor)) run_.is_stopped = true;
  else idle(id, actor);
  return actors_.wait(actor, Wait::poll);
}

void Polls::idle(ActorId id, ActorState& actor) {
  actor.idles = true;
  if (!std::exchange(actor.is_listed, true)) idle_.push_back(id);
}

void Polls::wake_idle() {
  for (const ActorId id : std::exchange(idle_, {})) {
    ActorState& actor = actors_[id];
    actor.is_listed = false;
    if (actor.idles) end(id);
  }
}

// Counts a poll without success, and returns whether no actor can ever continue.
bool Polls::is_hanging(ActorState& actor) {
  const std::uint64_t progress = actors_.progress();
  if (actor.progress_seen != progress) {
    actor.progress_seen = progress;
    actor.polls_without_progress = 0;
  }
  if (++actor.polls_without_progress == run_.options.polls_without_progress) {
    if (hanging_since_ != progress) hanging_ = 0;
    hanging_since_ = progress;
    ++hanging_;
  }
  return !agenda_.has_flights() && hanging_since_ == progress && actors_.is_nobody_left(hanging_);
}

}  // namespace rehearse::engine
