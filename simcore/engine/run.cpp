// SPDX-License-Identifier: MIT
//
// The loop of the timed driver: actors that can run, then the next date, and what operations without
// partners cost.
#include <algorithm>
#include <cstdio>
#include <variant>

#include "simcore/engine/core.hpp"
#include "simcore/published.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse {

namespace {

// Half the range of simulated time, so that sums of a date and a duration stay inside.
constexpr std::int64_t horizon_picoseconds = std::int64_t{1} << 62;
constexpr double long_row = 16;
constexpr double loop_seconds = 2e-7;  // of own code between two polls in vain: the loop itself
constexpr const char* beyond_horizon = "the run takes more than 53 days of simulated time";

}  // namespace

Engine::Engine(Program& program, const Platform& platform, std::unique_ptr<CostModel> costs,
               EngineOptions options)
    : core_(std::make_unique<Core>(program, platform, std::move(costs), std::move(options))) {}

Engine::~Engine() = default;

Result<RunResult> Engine::run() { return core_->run(); }

Engine::Core::Core(Program& program, const Platform& platform, std::unique_ptr<CostModel> costs,
                   EngineOptions options)
    : program_(program),
      platform_(platform),
      costs_(std::move(costs)),
      options_(std::move(options)) {
  if (options_.collectives == nullptr) {
    own_schedules_ = make_generic_schedules();
    options_.collectives = own_schedules_.get();
  }
  for (const auto& [receive, message] : options_.forced.matches) reserved_[message] = receive;
}

Result<RunResult> Engine::Core::run() {
  REHEARSE_ASSERT(actors_.empty(), "an engine runs once");
  if (!place_actors()) return *error_;
  if (options_.own_code != OwnCode::none) {
    meter_ = options_.meter;
    if (meter_ == nullptr) {
      auto meter = OwnCodeMeter::make(options_.own_code, options_.seconds_per_instruction);
      if (!meter) return meter.error();
      own_meter_ = std::move(meter.value());
      meter_ = own_meter_.get();
    }
    program_.measure(*meter_);
    if (options_.own_code_record != nullptr) options_.own_code_record->begin(program_.actor_count());
  }
  const bool is_bounded = options_.buffer_bytes != EngineOptions::infinite;
  const bool buffers_all = options_.eager_bytes == EngineOptions::infinite;
  // Who looks wants to know where an actor stands when it is answered.
  if (options_.timeline == nullptr)
    program_.run_ahead({is_bounded || options_.eager_bytes == 0 ? 0 : options_.eager_bytes + (buffers_all ? 0 : 1)});
  for (std::uint32_t i = 0; i < actors_.size(); ++i) make_ready({i});
  while (!error_ && !is_stopped_) {
    if (first_ready_ == ready_.size()) {
      ready_.clear();
      first_ready_ = 0;
      if (!step()) break;
    } else {
      run_actor(ready_[first_ready_++]);
    }
  }
  if (error_) return *error_;
  return make_result();
}

bool Engine::Core::place_actors() {
  const std::uint32_t count = program_.actor_count();
  const auto hosts = static_cast<std::uint32_t>(platform_.hosts().size());
  if (!options_.placement.empty() && options_.placement.size() != count)
    fail("the placement names " + std::to_string(options_.placement.size()) +
         " hosts for a program of " + std::to_string(count));
  for (const HostId host : options_.placement)
    if (host.value >= hosts) fail("the placement names a host that the platform does not have");
  if (error_) return false;
  actors_.resize(count);
  results_.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    actors_[i].host = options_.placement.empty() ? HostId{i % hosts} : options_.placement[i];
    results_[i].host = actors_[i].host;
  }
  return true;
}

void Engine::Core::fail(std::string text) {
  if (!error_) error_ = Error{std::move(text)};
}

void Engine::Core::make_ready(ActorId id) {
  ActorState& actor = actors_[id.value];
  if (actor.is_ready) return;
  actor.is_ready = true;
  if (actor.wait == Wait::request || actor.wait == Wait::observe || actor.wait == Wait::probe)
    --blocked_;
  ready_.push_back(id);
}

// Always false: what begin() returns when the actor has to wait.
bool Engine::Core::wait(ActorState& actor, Wait kind) {
  actor.wait = kind;
  if (kind == Wait::request || kind == Wait::observe || kind == Wait::probe) ++blocked_;
  return false;
}

void Engine::Core::note_interaction(ActorState& actor) {
  actor.polls = {};
  note_progress();
}

[[gnu::always_inline]] inline void Engine::Core::run_actor(ActorId id) {
  ActorState& actor = actors_[id.value];
  actor.is_ready = false;
  if (actor.operation == nullptr) {
    actor.operation = &program_.next(id);
    if (meter_ != nullptr && charge(id, actor)) return;
  } else if (actor.wait == Wait::computation) {
    if (options_.timeline) options_.timeline->on_computation(id, actor.began, now_);
    results_[id.value].compute_seconds += (now_ - actor.began).seconds();
  } else if (actor.wait == Wait::overhead) {
    --in_flight_;
  } else {
    answer(id, actor);
    if (!resume(id, actor)) return;
  }
  actor.wait = Wait::nothing;
  while (!error_ && begin_operation(id, actor))
    if (!resume(id, actor)) return;
}

// Gives the answer. False: the actor's own code took time that must pass first.
[[gnu::always_inline]] inline bool Engine::Core::resume(ActorId id, ActorState& actor) {
  account(id, actor);
  ++actor.operations;
  actor.wait = Wait::nothing;
  // Before the actor goes on, and changes what the answer may point to.
  if (meter_ != nullptr && options_.own_code_record != nullptr) options_.own_code_record->told(id, observation_);
  program_.resume(id, observation_);
  actor.operation = &program_.next(id);
  const bool is_charged = meter_ != nullptr && charge(id, actor);
  recycle();
  return !is_charged;
}

// Turns what the actor's own code used into simulated time of the actor. Short stretches are summed up until they are
// long enough, or until the actor looks at the clock, which must show them. Between polls in vain, and looks for which
// they wait, a stretch of a loop alone counts as nothing: a loop that works a little and polls does not spin.
inline bool Engine::Core::charge(ActorId id, ActorState& actor) {
  double seconds = meter_->take();
  if (options_.own_code_record != nullptr) seconds = options_.own_code_record->took(id, seconds);
  actor.looks.own_seconds += seconds;
  actor.looks.busy_looks += seconds >= engine::ClockRow::idle_seconds;
  const bool is_polling = actor.polls.length > 0;
  if (!is_polling || seconds > loop_seconds) actor.uncharged += seconds;
  const bool is_long = actor.uncharged >= options_.compute_threshold_seconds;
  const bool is_shown = !is_polling && std::holds_alternative<Clock>(*actor.operation);
  if (!is_long && !is_shown) return false;
  const double flops = std::exchange(actor.uncharged, 0) * options_.compute_scale * options_.reference_flops;
  if (flops <= 0) return false;
  actor.wait = Wait::computation;
  actor.began = now_;
  if (is_long) {
    engine::PollRow& row = actor.polls;
    row.free_rounds = row.since_wait = 0;
    // Of a long row, little work is no more than what polling costs.
    const double costs = long_row * flops / options_.reference_flops;
    if ((now_ - row.began).seconds() < costs) row = {};
    if ((now_ - actor.looks.began).seconds() < costs) actor.looks = {};
  }
  start_computation(id, flops);
  return true;
}

inline void Engine::Core::account(ActorId id, ActorState& actor) {
  if (options_.timeline)
    options_.timeline->on_operation(id, *actor.operation, actor.began, now_);
  if (actor.began == now_) return;
  const double elapsed = (now_ - actor.began).seconds();
  const Operation& operation = *actor.operation;
  if (std::holds_alternative<Compute>(operation))
    results_[id.value].compute_seconds += elapsed;
  else if (!std::holds_alternative<Sleep>(operation) && !std::holds_alternative<Clock>(operation))
    results_[id.value].communication_seconds += elapsed;
}

inline void Engine::Core::recycle() {
  for (Message* message : finished_messages_) {
    message->data.trim();
    messages_.give_back(*message);
  }
  finished_messages_.clear();
  for (Request* request : finished_collectives_) leave(*request);
  finished_collectives_.clear();
}

inline Duration Engine::Core::cost_of_start(const Operation& operation) const {
  const auto* send = std::get_if<Send>(&operation);
  if (send == nullptr) return {};
  const MessageCosts& costs = options_.message_costs;
  return (send->blocking ? costs.send : costs.started_send).of(send->data.size());
}

// What messages cost the actor itself passes before its operation begins. False: not yet.
inline bool Engine::Core::pay(ActorId id, ActorState& actor) {
  if (std::exchange(actor.has_paid, false)) return true;
  const Duration debt = std::exchange(actor.debt, Duration{});
  const Duration cost = debt + cost_of_start(*actor.operation);
  actor.began = now_ + debt;
  if (cost <= Duration{}) return true;
  results_[id.value].communication_seconds += debt.seconds();
  actor.has_paid = true;
  ++in_flight_;
  set_timer(id, actor, cost);
  return wait(actor, Wait::overhead);
}

inline bool Engine::Core::begin_operation(ActorId id, ActorState& actor) {
  if (!pay(id, actor)) return false;
  observation_ = {};
  return std::visit([&](const auto& operation) { return begin(id, actor, operation); },
                    *actor.operation);
}

// The actor's wait is over: what it is told.
inline void Engine::Core::answer(ActorId id, ActorState& actor) {
  observation_ = {};
  const Operation& operation = *actor.operation;
  if (actor.wait == Wait::request) return answer_finished(actor);
  if (actor.wait == Wait::pause) {
    if (std::holds_alternative<Clock>(operation)) observation_.now = now_;
    return;
  }
  const bool is_over = std::exchange(actor.poll_is_over, false);
  actor.idles = false;
  ++actor.timer;
  if (const auto* observe = std::get_if<Observe>(&operation)) {
    forget(actor, *observe);
    const Answer* forced = find_forced(id, actor);
    if (forced)
      chosen_ = forced->completed;
    else if (!choose(actor, *observe))
      return answer_no();
    note_interaction(actor);
    return answer_observe(actor, *observe);
  }
  const Probe& probe = std::get<Probe>(operation);
  Message* message = find_probed(id, actor, probe);
  REHEARSE_ASSERT(message != nullptr || is_over, "a probe that waited has found something");
  if (message == nullptr) return answer_no();
  note_interaction(actor);
  answer_probe(actor, probe, *message);
}

// Goes to the next date and does what is due there. False: nothing will ever happen again.
bool Engine::Core::step() {
  while (!timers_.empty() && timers_.front().kind == Timer::Kind::actor &&
         timers_.front().number != actors_[timers_.front().subject].timer) {
    std::pop_heap(timers_.begin(), timers_.end());
    timers_.pop_back();
  }
  const TimePoint costs = costs_->next_date();
  const TimePoint timer = timers_.empty() ? CostModel::never : timers_.front().date;
  const TimePoint date = std::min(costs, timer);
  if (!is_under_way() && !idle_.empty()) {
    wake_idle();
    if (timer == CostModel::never) return true;
  }
  // All that can still happen is that resources nobody uses go on and off.
  if (!costs_->is_busy() && timer == CostModel::never) return false;
  if (date == CostModel::never) {
    fail(beyond_horizon);
    return false;
  }
  if (date.picoseconds > horizon_picoseconds) {
    fail(beyond_horizon);
    return false;
  }
  now_ = date;
  if (costs == date) {
    ended_.clear();
    costs_->advance(date, ended_);
    // What follows may start activities under the same numbers, so all are looked up first.
    due_.clear();
    for (const Ended& end : ended_) {
      if (end.failed) fail_activity(continuations_[end.activity.value]);
      due_.push_back(continuations_[end.activity.value]);
    }
    if (error_) return false;
    for (const Continuation& then : due_) go_on(then);
  }
  while (!timers_.empty() && timers_.front().date == date) {
    const Timer due = timers_.front();
    std::pop_heap(timers_.begin(), timers_.end());
    timers_.pop_back();
    fire(due);
  }
  return true;
}

// A program of this driver does not survive the loss of a host or link that it uses.
void Engine::Core::fail_activity(const Continuation& what) {
  char date[32];
  std::snprintf(date, sizeof date, "%.9g", now_.seconds());
  const std::string lost = "platform '" + platform_.name() + "': at " + date + " s ";
  if (what.kind == Continuation::Kind::computation)
    return fail(lost + "host '" + platform_.host(actors_[what.subject].host).name +
                "' is off, on which actor " + std::to_string(what.subject) + " computes");
  fail(lost + "a transfer fails: a host or link on its way is off");
}

void Engine::Core::go_on(const Continuation& then) {
  if (then.kind == Continuation::Kind::computation) return make_ready({then.subject});
  --in_flight_;
  note_progress();
  switch (then.kind) {
    case Continuation::Kind::arrival: return arrive(messages_[then.subject]);
    case Continuation::Kind::rendezvous: return finish_match(messages_[then.subject]);
    case Continuation::Kind::collective:
      return end_passage(instances_[then.subject], then.part);
    case Continuation::Kind::combination:
      return end_combination(instances_[then.subject], then.part);
    case Continuation::Kind::computation: return;
  }
}

void Engine::Core::fire(const Timer& timer) {
  if (timer.kind != Timer::Kind::actor) {
    --in_flight_;
    note_progress();
    Message& message = messages_[timer.subject];
    return timer.kind == Timer::Kind::announcement ? arrive(message) : send_data(message);
  }
  ActorState& actor = actors_[timer.subject];
  if (timer.number != actor.timer) return;
  actor.poll_is_over = actor.wait == Wait::poll;
  if (actor.wait == Wait::pause && std::holds_alternative<Sleep>(*actor.operation)) --sleeping_;
  make_ready({timer.subject});
}

void Engine::Core::add_timer(Timer timer) {
  timer.order = timers_made_++;
  timers_.push_back(timer);
  std::push_heap(timers_.begin(), timers_.end());
}

void Engine::Core::set_timer(ActorId id, ActorState& actor, Duration after) {
  const Duration bounded = std::min(after, Duration{horizon_picoseconds});
  add_timer({now_ + bounded, 0, Timer::Kind::actor, id.value, ++actor.timer});
}

void Engine::Core::start_transfer(ActorId source, ActorId destination, std::uint64_t bytes,
                                  Continuation then) {
  const HostId from = actors_[source.value].host;
  const HostId to = actors_[destination.value].host;
  const std::optional<ActivityId> activity =
      costs_->start(Transfer{from, to, static_cast<double>(bytes)}, now_);
  if (!activity)
    return fail("platform '" + platform_.name() + "': there is no route from host '" +
                platform_.host(from).name + "' to host '" + platform_.host(to).name + "'");
  if (activity->value >= continuations_.size()) continuations_.resize(activity->value + 1);
  continuations_[activity->value] = then;
  ++in_flight_;
  ++results_[source.value].messages;
  results_[source.value].bytes += bytes;
}

void Engine::Core::start_computation(ActorId id, double flops, Continuation then) {
  const ActivityId activity =
      costs_->start(Computation{actors_[id.value].host, flops}, now_);
  if (activity.value >= continuations_.size()) continuations_.resize(activity.value + 1);
  continuations_[activity.value] = then;
}

bool Engine::Core::begin(ActorId id, ActorState& actor, const Compute& operation) {
  if (!(operation.flops > 0)) return true;
  actor.polls = {};
  start_computation(id, operation.flops);
  return wait(actor, Wait::pause);
}

bool Engine::Core::begin(ActorId id, ActorState& actor, const Sleep& operation) {
  if (operation.duration <= Duration{}) return true;
  actor.polls = {};
  ++sleeping_;
  set_timer(id, actor, operation.duration);
  return wait(actor, Wait::pause);
}

bool Engine::Core::begin(ActorId id, ActorState& actor, const Clock&) {
  observation_.now = now_;
  actor.polls.asks_clock = actor.polls.length > 0;
  const Duration cost = cost_of_look(id, actor);
  if (cost <= Duration{}) return true;
  set_timer(id, actor, cost);
  return wait(actor, Wait::pause);
}

bool Engine::Core::begin(ActorId id, ActorState&, const Log& operation) {
  if (options_.output && operation.stream != published_stream)
    options_.output->write(id, operation.stream, operation.text);
  return true;
}

bool Engine::Core::begin(ActorId id, ActorState&, const Report& operation) {
  reports_.emplace_back(id, *operation.finding);
  return true;
}

// One actor that aborts ends the whole run; after any other failure the others go on.
bool Engine::Core::begin(ActorId id, ActorState& actor, const Fail& operation) {
  note_progress();
  ++finished_;
  results_[id.value].stopped = now_;
  is_stopped_ |= operation.kind == FailureKind::abort || !is_fault(operation.kind);
  return wait(actor, Wait::never);
}

bool Engine::Core::begin(ActorId id, ActorState& actor, const End&) {
  note_progress();
  ++finished_;
  results_[id.value].stopped = now_;
  return wait(actor, Wait::never);
}

}  // namespace rehearse
