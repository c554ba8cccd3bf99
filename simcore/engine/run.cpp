// SPDX-License-Identifier: MIT
//
// The loop of the timed driver: ready actors, then the next date, and the cost of operations without partners.
#include "simcore/engine/core.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "simcore/birth.hpp"
#include "simcore/engine/result.hpp"
#include "simcore/mark_stream.hpp"
#include "simcore/notice.hpp"
#include "simcore/published.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse {

// So that sums of dates and durations stay in range.
constexpr Duration longest_lead{std::int64_t{1} << 60};

Engine::Engine(Program& program, const Platform& platform, std::unique_ptr<CostModel> costs, EngineOptions options)
    : core_(std::make_unique<Core>(program, platform, std::move(costs), std::move(options))) {}

Engine::~Engine() = default;

Result<RunResult> Engine::run() { return core_->run(); }

Engine::Core::Core(Program& program, const Platform& platform, std::unique_ptr<CostModel> costs, EngineOptions options)
    : own_schedules_(options.collectives == nullptr ? make_generic_schedules() : nullptr),
      run_{program, platform, std::move(options)},
      agenda_(run_, actors_, std::move(costs)),
      application_(run_),
      polls_(run_, actors_, agenda_),
      spaces_(actors_),
      requests_(actors_, polls_, message_pool_, spaces_, access_pool_),
      accesses_(run_, actors_, agenda_, requests_, access_pool_),
      storage_(run_, actors_, agenda_, requests_),
      messages_(run_, actors_, agenda_, polls_, message_pool_, requests_),
      rounds_(run_, agenda_, requests_),
      collectives_(run_, actors_, spaces_, requests_, rounds_),
      gatherings_(run_, actors_, agenda_),
      answers_(run_, actors_, message_pool_, requests_),
      observations_(run_, actors_, polls_, messages_, requests_, answers_),
      awaits_(actors_, agenda_, polls_, messages_, requests_, answers_) {
  if (own_schedules_ != nullptr) run_.options.collectives = own_schedules_.get();
}

Result<RunResult> Engine::Core::run() {
  REHEARSE_ASSERT(actors_.size() == 0, "an engine runs once");
  if (!actors_.place(run_) || !application_.begin()) return *run_.error;
  const EngineOptions& options = run_.options;
  const bool buffers_all = options.eager_bytes == EngineOptions::infinite;
  const bool runs_ahead = !run_.has_bounded_buffers() && options.eager_bytes > 0;
  // A timeline needs the place of each actor when it is answered, so actors do not run ahead then.
  // Nor if they can be lost.
  if (options.timeline == nullptr && options.losses.empty())
    run_.program.run_ahead({runs_ahead ? options.eager_bytes + (buffers_all ? 0 : 1) : 0,
                            options.tap != nullptr || options.bursts != nullptr});
  for (std::uint32_t i = 0; i < actors_.size(); ++i) actors_.make_ready({i});
  for (const Loss& loss : options.losses) {
    actors_[loss.actor].loss = &loss;
    agenda_.set_loss(loss);
  }
  while (!run_.error && !run_.is_stopped) {
    if (actors_.has_ready()) run_actor(actors_.take_ready());
    else if (!step()) break;
  }
  if (run_.error) return *run_.error;
  if (run_.is_cut) {
    agenda_.rest_until(options.until);
    count_until(options.until);
  }
  for (std::uint32_t i = 0; options.tap != nullptr && i < actors_.size(); ++i)
    if (const Operation* last = actors_[ActorId{i}].operation) options.tap->on_stop({i}, *last);
  RunResult result = engine::make_result(run_, actors_, messages_, message_pool_, requests_);
  if (run_.interrupted) result.end = *run_.interrupted;
  if (run_.is_cut) result.end = options.until;
  return result;
}

// The time of what is not over when the run is cut.
void Engine::Core::count_until(TimePoint date) {
  for (std::uint32_t i = 0; i < actors_.size(); ++i) {
    ActorState& actor = actors_[ActorId{i}];
    if (actor.wait == Wait::nothing || actor.wait == Wait::never || actor.began > date) continue;
    if (actor.wait == Wait::computation) actors_.result({i}).compute_seconds += (date - actor.began).seconds();
    else actors_.account({i}, actor, date);
  }
}

[[gnu::always_inline]] inline void Engine::Core::run_actor(ActorId id) {
  ActorState& actor = actors_[id];
  actor.is_ready = false;
  if (std::exchange(actor.is_lost, false)) [[unlikely]] {
    answers_.clear();
    run_.options.tell_lost(id, actor.loss->why);
    if (!resume(id, actor)) return;
  } else if (actor.operation == nullptr) {
    actor.operation = &run_.program.next(id);
    if (application_.is_measured() && charge(id, actor)) return;
  } else if (actor.wait == Wait::computation) {
    if (run_.options.timeline) run_.options.timeline->on_computation(id, actor.began, agenda_.now());
    actors_.result(id).compute_seconds += (agenda_.now() - actor.began).seconds();
  } else if (actor.wait == Wait::overhead) {
    agenda_.end_flight();
  } else {
    answer(id, actor);
    if (!resume(id, actor)) return;
  }
  actor.wait = Wait::nothing;
  while (!run_.error && begin_operation(id, actor))
    if (!resume(id, actor)) return;
}

// Gives the answer. False: the application code took time that must pass first.
[[gnu::always_inline]] inline bool Engine::Core::resume(ActorId id, ActorState& actor) {
  if (run_.options.timeline || run_.options.tap) report_answer(id, actor);
  if (actor.ahead == Duration{}) actors_.account(id, actor, agenda_.now());  // otherwise it has slept
  ++actor.operations;
  actor.wait = Wait::nothing;
  // Before the actor continues and changes memory that the answer may point to.
  application_.note_answer(id, answers_.observation());
  run_.program.resume(id, answers_.observation());
  actor.operation = &run_.program.next(id);
  const bool is_charged = application_.is_measured() && charge(id, actor);
  answers_.recycle();
  return !is_charged;
}

// The answer may come before its date: see Gatherings.
void Engine::Core::report_answer(ActorId id, const ActorState& actor) {
  if (is_notice(*actor.operation)) return;
  const TimePoint end = agenda_.now() + actor.ahead;
  if (run_.options.timeline) run_.options.timeline->on_operation(id, *actor.operation, actor.began, end);
  if (run_.options.tap) run_.options.tap->on_answer(id, *actor.operation, answers_.observation(), end - actor.began);
}

// Whether the application code took time that must pass before its operation begins.
inline bool Engine::Core::charge(ActorId id, ActorState& actor) {
  const double flops = application_.charge(id, actor, agenda_.now());
  if (flops <= 0) return false;
  actor.wait = Wait::computation;
  actor.began = agenda_.now();
  agenda_.start_computation(id, flops);
  return true;
}

inline Duration Engine::Core::cost_of_start(const Operation& operation) const {
  const auto* send = std::get_if<Send>(&operation);
  if (send == nullptr || is_notice_tag(send->tag)) return {};
  const MessageCosts& costs = run_.options.message_costs;
  return (send->blocking || send->of_blocking_call ? costs.send : costs.started_send).of(send->data.size());
}

// The time that messages cost the actor passes before its operation begins. False: not yet.
inline bool Engine::Core::pay(ActorId id, ActorState& actor) {
  if (std::exchange(actor.has_paid, false)) return true;
  if (const auto* compute = std::get_if<Compute>(actor.operation);
      compute != nullptr && compute->origin != VolumeOrigin::requested) {
    actor.began = agenda_.now();  // as charge(): the debt is for the operation behind it
    return true;
  }
  const Duration debt = std::exchange(actor.debt, Duration{});
  const Duration cost = debt + cost_of_start(*actor.operation);
  actor.began = agenda_.now() + actor.ahead + debt;
  if (cost <= Duration{}) return true;
  actors_.result(id).communication_seconds += debt.seconds();
  actor.has_paid = true;
  agenda_.begin_flight();
  agenda_.set_timer(id, actor, cost);
  return actors_.wait(actor, Wait::overhead);
}

inline bool Engine::Core::begin_operation(ActorId id, ActorState& actor) {
  if (actor.ahead > Duration{} && !begins_ahead(*actor.operation)) return catch_up(id, actor);
  if (!pay(id, actor)) return false;
  accesses_.retry(id);
  answers_.clear();
  return std::visit([&](const auto& operation) { return begin(id, actor, operation); }, *actor.operation);
}

// Whether the operation of an actor that is ahead of the date of the run can begin now as well as then.
bool Engine::Core::begins_ahead(const Operation& operation) {
  if (const auto* collective = std::get_if<Collective>(&operation)) return gatherings_.take(*collective);
  return std::holds_alternative<Sleep>(operation) || std::holds_alternative<End>(operation);
}

// Always returns false: the actor waits for its date.
bool Engine::Core::catch_up(ActorId id, ActorState& actor) {
  agenda_.begin_flight();
  agenda_.set_timer(id, actor, std::exchange(actor.ahead, Duration{}));
  return actors_.wait(actor, Wait::overhead);
}

// The actor's wait is over.
inline void Engine::Core::answer(ActorId id, ActorState& actor) {
  answers_.clear();
  if (actor.wait == Wait::request) return answers_.say_finished(actor);
  if (actor.wait == Wait::gathering)
    return answers_.say_contributions(gatherings_.contributions(std::get<Collective>(*actor.operation)));
  if (actor.wait == Wait::settle) return;
  if (const auto* await = std::get_if<Await>(actor.operation)) return awaits_.answer(id, actor, *await);
  if (actor.wait != Wait::pause) return observations_.answer(id, actor);
  if (std::holds_alternative<Clock>(*actor.operation)) answers_.say_date(agenda_.now());
}

// A started operation that is not blocking is answered at once; a blocking one when it is done.
inline bool Engine::Core::finish_start(ActorState& actor, engine::Request& request, bool is_blocking) {
  if (!is_blocking) {
    actor.requests.add(request.id, request);
    return true;
  }
  actor.request = &request;
  if (!request.is_done) return actors_.wait(actor, Wait::request);
  answers_.say_finished(actor);
  return true;
}

// Goes to the next date and does what is due there. False: nothing will ever happen again, or the run is to stop.
bool Engine::Core::step() {
  const engine::Agenda::Next next = agenda_.next();
  if (run_.options.stop.stop_requested()) {  // the cost model, too, may have given up before that date
    if (agenda_.is_under_way() || next.timer != CostModel::never || polls_.has_idle())
      run_.interrupted = agenda_.reached(next);
    return false;
  }
  if (polls_.has_idle() && !agenda_.is_under_way()) {
    polls_.wake_idle();
    if (next.timer == CostModel::never) return true;
  }
  if (const TimePoint date = std::min(next.costs, next.timer); date > run_.options.until && !agenda_.is_over(next)) {
    run_.is_cut = date != CostModel::never;
    return false;
  }
  if (!agenda_.go_to(next)) return false;
  for (const Continuation& failed : agenda_.failed()) note_failure(failed);
  if (run_.error || run_.is_stopped) return false;
  for (const Continuation& then : agenda_.due()) go_on(then);
  while (const std::optional<Timer> timer = agenda_.take_due_timer()) {
    if (timer->kind == Timer::Kind::transfer) go_on({timer->then, timer->subject, timer->number});
    else if (timer->kind == Timer::Kind::loss) lose({timer->subject});
    else fire(*timer);
  }
  return true;
}

void Engine::Core::go_on(const Continuation& then) {
  if (then.kind == Continuation::Kind::computation) return actors_.make_ready({then.subject});
  agenda_.end_flight();
  if (then.kind == Continuation::Kind::work) return awaits_.end_work(then.subject);  // nothing that others notice
  actors_.note_progress();
  switch (then.kind) {
    case Continuation::Kind::arrival: return messages_.arrive(then.subject);
    case Continuation::Kind::answer: return messages_.send_data(then.subject);
    case Continuation::Kind::collective_announcement: return rounds_.end_announcement(spaces_[then.subject], then.part);
    case Continuation::Kind::collective_answer: return rounds_.end_answer(spaces_[then.subject], then.part);
    case Continuation::Kind::rendezvous: return messages_.finish_match(then.subject);
    case Continuation::Kind::collective: return rounds_.end_passage(spaces_[then.subject], then.part);
    case Continuation::Kind::combination: return rounds_.end_combination(spaces_[then.subject], then.part);
    case Continuation::Kind::access_there: return accesses_.arrive(then.subject);
    case Continuation::Kind::access_back: return accesses_.come_back(then.subject);
    case Continuation::Kind::storage: return storage_.go_on(then.subject, then.part);
    case Continuation::Kind::work:
    case Continuation::Kind::computation: return;
  }
}

void Engine::Core::fire(const Timer& timer) {
  if (timer.kind != Timer::Kind::actor) {
    agenda_.end_flight();
    actors_.note_progress();
    switch (timer.kind) {
      case Timer::Kind::announcement: return messages_.arrive(timer.subject);
      case Timer::Kind::answer: return messages_.send_data(timer.subject);
      case Timer::Kind::departure: return rounds_.end_departure(spaces_[timer.subject], timer.number);
      case Timer::Kind::receipt: return rounds_.end_receipt(spaces_[timer.subject], timer.number);
      case Timer::Kind::gathering: return gatherings_.end(timer.subject);
      case Timer::Kind::actor:
      case Timer::Kind::loss:
      case Timer::Kind::transfer: break;
    }
  }
  ActorState& actor = actors_[ActorId{timer.subject}];
  if (timer.number != actor.timer) return;
  actor.poll_is_over = actor.wait == Wait::poll;
  if (actor.wait == Wait::pause && std::holds_alternative<Sleep>(*actor.operation)) agenda_.end_sleep();
  actors_.make_ready({timer.subject});
}

bool Engine::Core::begin(ActorId id, ActorState& actor, const Compute& operation) {
  if (!(operation.flops > 0)) return true;
  if (operation.origin == VolumeOrigin::requested) actor.polls = {};
  else if (operation.origin == VolumeOrigin::stretch) application_.note_stretch(actor, operation.flops, agenda_.now());
  agenda_.start_computation(id, operation.flops);
  return actors_.wait(actor, Wait::pause);
}

bool Engine::Core::begin(ActorId id, ActorState& actor, const Sleep& operation) {
  if (operation.duration <= Duration{}) return true;
  actor.polls = {};
  // Nothing can reach an actor that sleeps, so its answer may come early.
  if (gatherings_.let_run_ahead() && actor.ahead < longest_lead) {
    actor.ahead = actor.ahead + operation.duration;
    return true;
  }
  agenda_.begin_sleep();
  agenda_.set_timer(id, actor, operation.duration);
  return actors_.wait(actor, Wait::pause);
}

bool Engine::Core::begin(ActorId id, ActorState& actor, const Clock& operation) {
  answers_.say_date(agenda_.now());
  actor.polls.asks_clock = actor.polls.length > 0;
  const Duration cost = operation.takes ? *operation.takes : polls_.cost_of_look(id, actor);
  if (cost <= Duration{}) return true;
  agenda_.set_timer(id, actor, cost);
  return actors_.wait(actor, Wait::pause);
}

bool Engine::Core::begin(ActorId id, ActorState&, const Log& operation) {
  const bool is_output = operation.stream != published_stream && operation.stream != mark_stream;
  if (run_.options.output && is_output) run_.options.output->write(id, operation.stream, operation.text);
  return true;
}

bool Engine::Core::begin(ActorId id, ActorState&, const Report& operation) {
  run_.reports.emplace_back(id, *operation.finding);
  return true;
}

// One actor that aborts ends the whole run; after any other failure the others continue.
bool Engine::Core::begin(ActorId id, ActorState&, const Fail& operation) {
  run_.is_stopped |= operation.kind == FailureKind::abort || !is_fault(operation.kind);
  return actors_.finish(id, agenda_.now());
}

bool Engine::Core::begin(ActorId id, ActorState& actor, const End&) {
  return actors_.finish(id, agenda_.now() + std::exchange(actor.ahead, Duration{}));
}

bool Engine::Core::begin(ActorId id, ActorState& actor, const Send& operation) {
  if (operation.context == birth_context && run_.options.host_of_born)
    if (const auto host = run_.options.host_of_born(operation.destination)) actors_.move(operation.destination, *host);
  engine::Request* request = messages_.send(id, actor, operation);
  return request == nullptr || finish_start(actor, *request, operation.blocking);
}

bool Engine::Core::begin(ActorId id, ActorState& actor, const Post& operation) {
  return finish_start(actor, messages_.post(id, actor, operation), operation.blocking);
}

bool Engine::Core::begin(ActorId, ActorState& actor, const Release& operation) {
  actors_.note_interaction(actor);
  requests_.release(actor, operation.request);
  return true;
}

bool Engine::Core::begin(ActorId id, ActorState& actor, const Collective& operation) {
  if (gatherings_.take(operation))
    return gatherings_.enter(id, actor, operation, agenda_.now() + std::exchange(actor.ahead, Duration{}));
  return finish_start(actor, collectives_.call(id, actor, operation), operation.blocking);
}

bool Engine::Core::begin(ActorId id, ActorState& actor, const RemoteAccess& operation) {
  return finish_start(actor, accesses_.start(id, actor, operation), operation.blocking);
}

bool Engine::Core::begin(ActorId id, ActorState& actor, const StorageAccess& operation) {
  return finish_start(actor, storage_.start(id, actor, operation), operation.blocking);
}

bool Engine::Core::begin(ActorId id, ActorState& actor, const Work& operation) {
  return finish_start(actor, awaits_.start(id, operation), false);
}

bool Engine::Core::begin(ActorId id, ActorState& actor, const Traffic& operation) {
  accesses_.start(id, actor, operation);
  return true;
}

bool Engine::Core::begin(ActorId, ActorState& actor, const Settle&) {
  actors_.note_interaction(actor);
  return actor.traffic == 0 || actors_.wait(actor, Wait::settle);
}

}  // namespace rehearse
