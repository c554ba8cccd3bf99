// SPDX-License-Identifier: MIT
//
// See agenda.hpp.
#include "simcore/engine/agenda.hpp"

#include <algorithm>
#include <string>

#include "simcore/support/format.hpp"

namespace rehearse::engine {

namespace {

// Half the range of simulated time, so that sums of a date and a duration stay inside.
constexpr std::int64_t horizon_picoseconds = std::int64_t{1} << 62;
constexpr const char* beyond_horizon = "the run takes more than 53 days of simulated time";

}  // namespace

FixedDurations* Agenda::find_durations(CostModel& costs) {
  auto* durations = dynamic_cast<FixedDurations*>(&costs);
  return durations != nullptr && durations->are_fixed() ? durations : nullptr;
}

bool Agenda::is_void(const Timer& timer) const {
  if (timer.kind == Timer::Kind::loss) return actors_[ActorId{timer.subject}].wait == Wait::never;
  return timer.kind == Timer::Kind::actor && timer.number != actors_[ActorId{timer.subject}].timer;
}

void Agenda::set_timer(ActorId id, ActorState& actor, Duration after) {
  const Duration bounded = std::min(after, Duration{horizon_picoseconds});
  timers_.push({now_ + bounded, Timer::Kind::actor, {}, id.value, ++actor.timer});
}

void Agenda::set_message_timer(Timer::Kind kind, std::uint32_t message, Duration after) {
  timers_.push({now_ + after, kind, {}, message, 0});
  ++in_flight_;
}

void Agenda::set_passage_timer(Timer::Kind kind, std::uint32_t instance, std::uint32_t passage, TimePoint date) {
  timers_.push({date, kind, {}, instance, passage});
  ++in_flight_;
}

void Agenda::keep(ActivityId activity, const Continuation& then) {
  if (activity.value >= continuations_.size()) continuations_.resize(activity.value + 1);
  continuations_[activity.value] = then;
}

// False: there is no route.
bool Agenda::start(const Transfer& transfer, Continuation then) {
  const std::optional<ActivityId> activity = costs_->start(transfer, now_);
  if (!activity) {
    const Platform& platform = run_.platform;
    run_.fail("platform '" + platform.name() + "': there is no route from host '" +
              platform.host(transfer.source).name + "' to host '" + platform.host(transfer.destination).name + "'");
    return false;
  }
  keep(*activity, then);
  ++in_flight_;
  return true;
}

// False: there is no route.
bool Agenda::start(TransferKind kind, ActorId source, ActorId destination, const MessageLabel& label,
                   Continuation then) {
  const HostId from = actors_[source].host;
  const HostId to = actors_[destination].host;
  Transfer transfer{from, to, kind == TransferKind::message ? static_cast<double>(label.bytes) : 0};
  transfer.label = label;
  transfer.kind = kind;
  transfer.category = label.category ? *label.category : category_of(source);
  transfer.connection = (std::uint64_t{source.value} + 1) << 32 | (destination.value + 1);
  if (durations_ != nullptr) {
    timers_.push(
        {now_ + durations_->fixed_duration(transfer, now_), Timer::Kind::transfer, then.kind, then.subject, then.part});
    ++in_flight_;
    return true;
  }
  return start(transfer, then);
}

void Agenda::start_envelope(TransferKind kind, ActorId source, ActorId destination, const MessageLabel& label,
                            Continuation then) {
  start(kind, source, destination, label, then);
}

void Agenda::start_transfer(ActorId source, ActorId destination, const MessageLabel& label, Continuation then) {
  if (!start(TransferKind::message, source, destination, label, then)) return;
  ActorResult& result = actors_.result(source);
  ++result.messages;
  result.bytes += label.bytes;
}

void Agenda::start_disk(const DiskAccess& access, Continuation then) {
  keep(costs_->start(access, now_), then);
  ++in_flight_;
}

void Agenda::start_stream(const Transfer& stream, Continuation then) { start(stream, then); }

void Agenda::start_computation(ActorId id, double flops, Continuation then) {
  Computation computation{actors_[id].host, flops};
  computation.category = category_of(id);
  const ActivityId activity = costs_->start(computation, now_);
  keep(activity, then);
  if (run_.options.losses.empty()) return;
  computations_.resize(actors_.size());
  computations_[id.value] = activity;
}

void Agenda::cancel_computation(ActorId id) { costs_->cancel(computations_[id.value], now_); }

Duration Agenda::latency(ActorId from, ActorId to) {
  return costs_->latency(actors_[from].host, actors_[to].host, now_).value_or(Duration{});
}

Agenda::Next Agenda::next() {
  while (!timers_.empty() && is_void(timers_.front())) timers_.pop();
  const TimePoint timer = timers_.empty() ? CostModel::never : timers_.front().date;
  return {costs_->next_end(timer), timer};
}

bool Agenda::go_to(const Next& next) {
  due_.clear();
  failed_.clear();
  if (const std::string* problem = costs_->problem()) {
    run_.fail(*problem, true);
    return false;
  }
  const TimePoint date = std::min(next.costs, next.timer);
  if (is_over(next)) return false;
  if (date == CostModel::never || date.picoseconds > horizon_picoseconds) {
    run_.fail(beyond_horizon);
    return false;
  }
  now_ = date;
  if (next.costs != date) return true;
  ended_.clear();
  costs_->advance(date, ended_);
  // Continuations may start activities with the same numbers, so all are looked up first.
  for (const Ended& end : ended_) (end.failed ? failed_ : due_).push_back(continuations_[end.activity.value]);
  return true;
}

// Any question about that date makes a model of flows report what came before. A network of packets reports each packet
// when it is sent.
void Agenda::rest_until(TimePoint date) {
  if (costs_->packets() == nullptr) costs_->is_host_on(HostId{}, date);
}

std::optional<Timer> Agenda::take_due_timer() {
  if (timers_.empty() || timers_.front().date != now_) return std::nullopt;
  return timers_.pop();
}

// Of actors that are not lost.
void Agenda::fail_activity(const Continuation& what) {
  const std::string lost = fmt::format("platform '{}': at {:.9g} s", run_.platform.name(), now_.seconds());
  if (what.kind == Continuation::Kind::computation)
    return run_.fail(fmt::format("{} actor {} computes on host '{}', which is off", lost, what.subject,
                                 run_.platform.host(actors_[ActorId{what.subject}].host).name));
  if (what.kind == Continuation::Kind::work)
    return run_.fail(fmt::format("{} a thread computes on a host that is off", lost));
  if (what.kind == Continuation::Kind::storage)
    return run_.fail(fmt::format("{} an access to a file fails: a host, disk or link is off", lost));
  run_.fail(fmt::format("{} a transfer fails: a host or link on its way is off", lost));
}

}  // namespace rehearse::engine
