// SPDX-License-Identifier: MIT
//
// Simulated time of a run, and its future events: activities of the cost model, and timers.
//
// Units:  dates and durations in picoseconds.
// Order:  at one date, first the activities that the cost model ends, in its order; then timers in the order in which
//         they were set.
// Errors: no route, a lost host or link, and a date out of range end the run by RunState::fail.
// Source: the cost model gives all durations; this file has no formula.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "simcore/cost_model.hpp"
#include "simcore/engine/actor_table.hpp"
#include "simcore/engine/run_state.hpp"
#include "simcore/engine/timer_queue.hpp"
#include "simcore/fixed_durations.hpp"

namespace rehearse::engine {

// The step that follows the end of an activity of the cost model.
struct Continuation {
  enum class Kind : std::uint8_t {
    arrival,
    answer,
    rendezvous,
    collective_announcement,
    collective_answer,
    collective,
    combination,
    access_there,
    access_back,
    storage,
    work,
    computation
  } kind{};
  std::uint32_t subject = 0;  // message, instance, access, request of a work, or actor
  std::uint32_t part = 0;     // of the instance: passage or member
};

struct Timer {
  TimePoint date;
  enum class Kind : std::uint8_t { actor, announcement, answer, departure, receipt, gathering, transfer, loss } kind{};
  Continuation::Kind then{};  // of a transfer of fixed duration
  std::uint32_t subject = 0;  // actor, message, or instance of a collective
  std::uint32_t number = 0;   // of an actor's timer, all but its last one are void; or the passage
};

class Agenda {
 public:
  Agenda(RunState& run, ActorTable& actors, std::unique_ptr<CostModel> costs)
      : run_(run), actors_(actors), costs_(std::move(costs)), durations_(find_durations(*costs_)) {}

  TimePoint now() const { return now_; }

  // ---- future events
  void set_timer(ActorId id, ActorState& actor, Duration after);  // makes the actor's earlier timers void
  // An announcement or its answer, which is in flight until then.
  void set_message_timer(Timer::Kind kind, std::uint32_t message, Duration after);
  // A member of a collective is busy with a passage until then.
  void set_passage_timer(Timer::Kind kind, std::uint32_t instance, std::uint32_t passage, TimePoint date);
  // The data of a message, which are in flight until the transfer ends.
  void start_transfer(ActorId source, ActorId destination, const MessageLabel& label, Continuation then);
  // An announcement or an answer likewise. Requires: carries_envelopes().
  void start_envelope(TransferKind kind, ActorId source, ActorId destination, const MessageLabel& label,
                      Continuation then);
  bool has_streams() const { return costs_->has_streams(); }
  bool carries_envelopes() const { return costs_->carries_envelopes(); }
  void start_computation(ActorId id, double flops, Continuation then);
  void start_computation(ActorId id, double flops) {
    start_computation(id, flops, {Continuation::Kind::computation, id.value, 0});
  }
  // An access to a disk, or a stream from or to one, with nothing else on its way.
  void start_disk(const DiskAccess& access, Continuation then);
  void start_stream(const Transfer& stream, Continuation then);
  // The computation of the actor that start_computation(id, flops) started, and that has not ended.
  void cancel_computation(ActorId id);
  // The actor is lost at that date, unless it has ended.
  void set_loss(const Loss& loss) { timers_.push({loss.date, Timer::Kind::loss, {}, loss.actor.value, 0}); }
  // Between the hosts of two actors, now; nothing if there is no route.
  Duration latency(ActorId from, ActorId to);

  // ---- in progress: transfers, envelopes, and actors busy with messages
  void begin_flight() { ++in_flight_; }
  void end_flight() { --in_flight_; }
  bool has_flights() const { return in_flight_ > 0; }
  void begin_sleep() { ++sleeping_; }
  void end_sleep() { --sleeping_; }
  // Whether any event is still to come if no actor makes another operation.
  bool is_under_way() const { return in_flight_ > 0 || sleeping_ > 0 || costs_->is_busy(); }

  // ---- continuing
  struct Next {
    TimePoint costs;  // the next date of the cost model
    TimePoint timer;  // the next date of the timers; both: CostModel::never if there is none
  };
  Next next();
  // The date up to which everything has happened. A network of packets is ahead of now().
  TimePoint reached(const Next& next) const {
    return costs_->packets() != nullptr && next.costs < next.timer ? next.costs : now_;
  }
  // The only events left are resources that go on and off or change, and that nobody uses.
  bool is_over(const Next& next) const { return !costs_->is_busy() && next.timer == CostModel::never; }
  // Nothing happens until that date, the last one of the run: observers get the loads of the time until then.
  void rest_until(TimePoint date);
  // Goes to the earlier of both dates. False: no event will ever happen again, or the run has failed.
  bool go_to(const Next& next);
  // The continuations of the activities that ended at this date; valid until the next go_to().
  std::span<const Continuation> due() const { return due_; }
  // The continuations of the activities that failed at this date likewise, because a host or link is off.
  std::span<const Continuation> failed() const { return failed_; }
  // Ends the run with the reason of this failure.
  void fail_activity(const Continuation& what);
  // The next timer of this date.
  std::optional<Timer> take_due_timer();

 private:
  static FixedDurations* find_durations(CostModel& costs);
  bool is_void(const Timer& timer) const;
  Category category_of(ActorId id) const { return run_.category_of(id); }
  bool start(const Transfer& transfer, Continuation then);
  bool start(TransferKind kind, ActorId source, ActorId destination, const MessageLabel& label, Continuation then);
  void keep(ActivityId activity, const Continuation& then);

  RunState& run_;
  ActorTable& actors_;
  std::unique_ptr<CostModel> costs_;
  FixedDurations* durations_;  // transfers are timers of these durations; null: activities
  TimePoint now_;
  TimerQueue<Timer> timers_;
  std::vector<Continuation> continuations_;  // by activity
  std::vector<Ended> ended_;
  std::vector<Continuation> due_, failed_;
  std::vector<ActivityId> computations_;  // by actor: its last one; only if actors can be lost
  std::uint32_t in_flight_ = 0;
  std::uint32_t sleeping_ = 0;
};

}  // namespace rehearse::engine
