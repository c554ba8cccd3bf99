// SPDX-License-Identifier: MIT
//
// See window_program.hpp.
#include "smpi/rma_model/window_program.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "smpi/rma_model/unheard_accesses.hpp"
#include "smpi/window_model.hpp"

namespace rehearse::smpi::model {

struct WindowProgram::Saved final : Snapshot {
  std::uint64_t bytes() const override {
    constexpr std::uint64_t bytes_of_state = 4096, bytes_of_record = 1024, bytes_of_share = 16;  // about
    const std::uint64_t records = model ? model->view.size() : 0;
    return (rank ? rank->bytes() : 0) + bytes_of_state + bytes_of_record * fresh_records + bytes_of_share * records;
  }

  std::unique_ptr<Snapshot> rank;
  std::optional<RankModel> model;
  std::uint64_t fresh_records = 0;  // since the rank's last snapshot, which has the others in common with this one
  std::unique_ptr<ObjectActor> object;
};

WindowProgram::WindowProgram(std::unique_ptr<LoadedProgram> program, const std::vector<std::string>& objects)
    : program_(std::move(program)), ranks_(program_->actor_count()), objects_(objects, ranks_), shown_(ranks_) {
  for (std::uint32_t rank = 0; rank < ranks_; ++rank) models_.emplace_back(rank, ranks_);
  for (std::uint32_t i = 0; i < objects_.size(); ++i) states_.push_back(objects_.make(i));
}

const Operation& WindowProgram::next(ActorId actor) {
  if (!is_rank(actor)) return object(actor).next();
  const Operation& operation = driver(actor).next();
  has_polled_ |= models_[actor.value].has_polled;
  has_nested_ |= models_[actor.value].has_nested;
  return operation;
}

void WindowProgram::resume(ActorId actor, const Observation& observation) {
  if (is_rank(actor)) return driver(actor).resume(observation);
  object(actor).next();
  object(actor).resume(observation);
}

void WindowProgram::restart(ActorId actor) {
  if (!is_rank(actor)) {
    states_[actor.value - ranks_] = objects_.make(actor.value - ranks_);
    return;
  }
  program_->restart(actor);
  models_[actor.value] = RankModel(actor.value, ranks_);
  shown_[actor.value] = {};
}

std::unique_ptr<Snapshot> WindowProgram::save(ActorId actor) {
  auto saved = std::make_unique<Saved>();
  if (!is_rank(actor)) {
    saved->object = object(actor).clone();
    return saved;
  }
  driver(actor).next();  // what the rank did before this operation is in its model
  saved->rank = program_->save(actor);
  if (saved->rank == nullptr) return nullptr;
  RankModel& model = models_[actor.value];
  saved->fresh_records = model.view.size() - std::exchange(model.saved_records, model.view.size());
  saved->model = model;
  return saved;
}

void WindowProgram::restore(ActorId actor, const Snapshot& snapshot) {
  const auto& saved = static_cast<const Saved&>(snapshot);
  if (!is_rank(actor)) {
    states_[actor.value - ranks_] = saved.object->clone();
    return;
  }
  program_->restore(actor, *saved.rank);
  models_[actor.value] = *saved.model;
  shown_[actor.value] = {};
}

CallDescription WindowProgram::describe(ActorId actor) {
  if (!is_rank(actor)) return {object(actor).name(), {}};
  CallDescription description = program_->describe(actor);
  const RankModel& model = models_[actor.value];
  for (StartedRequest& started : description.requests) started.request = model.number_of(started.request);
  description.knowledge = knowledge_of(actor, model, *program_);
  return description;
}

Caveats WindowProgram::caveats() const {
  Caveats all = program_->caveats();
  if (has_polled_)
    all.assumptions.push_back("a rank that polls a window by atomic operations goes on until the value changes");
  if (has_nested_)
    all.assumptions.push_back("a rank that holds two locks, one of them of its own window, took both at their calls");
  return all;
}

}  // namespace rehearse::smpi::model

namespace rehearse::smpi {

std::unique_ptr<LoadedProgram> with_window_objects(std::unique_ptr<LoadedProgram> program,
                                                   const std::vector<std::string>& objects) {
  return std::make_unique<model::WindowProgram>(std::move(program), objects);
}

namespace {

bool is_of_object(ContextId context) {
  return context.value >= model::first_object_context && context.value < model::end_context;
}

// The object whose messages have this context.
ActorId object_of(ContextId context) { return {static_cast<std::uint32_t>(context.value >> 8)}; }

// Adds the ranks that the object waits for.
void add_holders(const Outcome& outcome, std::uint32_t first, ActorId object, std::vector<ActorId>& holders) {
  const ActorOutcome& waits = outcome.actors[object.value];
  for (const PendingRequest& pending : outcome.pending) {
    if (pending.actor != object || pending.kind != PendingRequest::Kind::receive || !pending.pattern.source) continue;
    if (std::ranges::find(waits.waits_for, pending.request) == waits.waits_for.end()) continue;
    const ActorId source = *pending.pattern.source;
    if (source.value >= first) add_holders(outcome, first, source, holders);
    else if (std::ranges::find(holders, source) == holders.end()) holders.push_back(source);
  }
}

}  // namespace

namespace {

// Whether the object waits for any message. Only an element does while a rank waits for it: the rank repeats a poll,
// and the element has not changed since.
bool is_at_rest(const Outcome& outcome, ActorId object) {
  return std::ranges::any_of(outcome.pending, [&](const PendingRequest& pending) {
    return pending.actor == object && pending.kind == PendingRequest::Kind::receive && !pending.pattern.source;
  });
}

// A rank that polls an element waits for all others.
void replace_poll(Outcome& outcome, std::uint32_t first, PendingRequest& pending) {
  pending.name = "to change the value that it polls";
  outcome.actors[pending.actor.value].polling = true;
  for (std::uint32_t other = 0; other < first; ++other)
    if (other != pending.actor.value) pending.missing.push_back({other});
}

// A rank that waits for an object waits for those whom the object waits for.
void replace_waits(Outcome& outcome, std::uint32_t first) {
  for (PendingRequest& pending : outcome.pending) {
    const bool is_of_rank = pending.actor.value < first;
    if (is_of_rank && pending.kind == PendingRequest::Kind::send) pending.bytes = unknown_bytes;
    if (!is_of_rank || pending.kind != PendingRequest::Kind::receive || !is_of_object(pending.context)) continue;
    const ActorId object = object_of(pending.context);
    pending.kind = PendingRequest::Kind::access;
    pending.destination = object;
    const bool needs_exposure = object.value < first;
    pending.name = needs_exposure ? "to expose its window (MPI_Win_post)" : "to release its lock on that window";
    if (needs_exposure) pending.missing = {object};
    else if (is_at_rest(outcome, object)) replace_poll(outcome, first, pending);
    else add_holders(outcome, first, object, pending.missing);
  }
  // Elements answer behind the exposure for which the same rank waits.
  std::set<ActorId> need_exposure;
  for (const PendingRequest& pending : outcome.pending)
    if (pending.kind == PendingRequest::Kind::access && pending.destination.value < first)
      need_exposure.insert(pending.actor);
  std::erase_if(outcome.pending, [&](const PendingRequest& pending) {
    return pending.kind == PendingRequest::Kind::access && pending.destination.value >= first &&
           need_exposure.contains(pending.actor);
  });
}

// A rank that waits only for the others' ends has ended.
void end_leaving_ranks(Outcome& outcome) {
  const auto is_end = [](const PendingRequest& pending) { return pending.context.value == model::end_context; };
  for (const PendingRequest& pending : outcome.pending)
    if (is_end(pending)) outcome.actors[pending.actor.value] = ActorOutcome{};
  std::erase_if(outcome.pending, is_end);
}

// The number of ranks; empty: there are no objects.
std::optional<std::uint32_t> ranks_before_objects(const Outcome& outcome) {
  for (const auto& [actor, finding] : outcome.reports)
    if (finding.id == first_object_report) return actor.value;
  return std::nullopt;
}

}  // namespace

bool has_window_objects(const Outcome& outcome) { return ranks_before_objects(outcome).has_value(); }

bool waits_for_a_guess(const Outcome& outcome) {
  const auto ranks = ranks_before_objects(outcome);
  if (!ranks) return false;
  const std::uint32_t first = *ranks;
  const auto source_of = [&](ActorId waiting) -> std::optional<ActorId> {
    for (const PendingRequest& pending : outcome.pending)
      if (pending.actor == waiting && pending.kind == PendingRequest::Kind::receive && is_of_object(pending.context))
        return pending.pattern.source;
    return std::nullopt;
  };
  for (std::uint32_t rank = 0; rank < first; ++rank) {
    if (outcome.actors[rank].state != ActorOutcome::State::blocked) continue;
    for (const PendingRequest& pending : outcome.pending) {
      if (pending.actor.value != rank || pending.kind != PendingRequest::Kind::receive) continue;
      if (!is_of_object(pending.context)) continue;
      if (object_of(pending.context).value < first) continue;   // an exposure
      const auto lock = source_of(object_of(pending.context));  // that closes this reader
      if (!lock || lock->value < first) continue;
      if (const auto other = source_of(*lock); other && other->value >= first) return true;
    }
  }
  return false;
}

void hide_window_objects(Outcome& outcome) {
  const auto ranks = ranks_before_objects(outcome);
  if (!ranks) return;
  const std::uint32_t first = *ranks;
  replace_waits(outcome, first);
  std::erase_if(outcome.pending, [&](const PendingRequest& pending) {
    const bool is_to_object = pending.kind == PendingRequest::Kind::send && is_of_object(pending.context);
    return pending.actor.value >= first || is_to_object;
  });
  std::erase_if(outcome.reports, [&](const auto& report) { return report.first.value >= first; });
  std::erase_if(outcome.early, [&](const EarlyMessage& early) { return early.source.value >= first; });
  outcome.actors.resize(first);
  end_leaving_ranks(outcome);
}

}  // namespace rehearse::smpi
