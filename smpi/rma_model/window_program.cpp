// SPDX-License-Identifier: MIT
//
// See window_program.hpp.
#include "smpi/rma_model/window_program.hpp"

#include <algorithm>

#include "smpi/window_model.hpp"

namespace rehearse::smpi::model {

struct WindowProgram::Saved final : Snapshot {
  std::uint64_t bytes() const override { return (rank ? rank->bytes() : 0) + 4096 + 512 * (model ? model->view.size() : 0); }

  std::unique_ptr<Snapshot> rank;
  std::optional<RankModel> model;
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
  saved->model = models_[actor.value];
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
  for (StartedRequest& started : description.requests) started.request = models_[actor.value].number_of(started.request);
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

bool is_of_object(ContextId context) { return context.value >= model::first_object_context && context.value < 0xb000'0000'0000'0000; }

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

void hide_window_objects(Outcome& outcome) {
  auto first = static_cast<std::uint32_t>(outcome.actors.size());
  for (const PendingRequest& pending : outcome.pending)
    if (pending.kind == PendingRequest::Kind::receive && is_of_object(pending.context) &&
        object_of(pending.context) == pending.actor)
      first = std::min(first, pending.actor.value);
  if (first == outcome.actors.size()) {  // all objects have ended, or there are none
    std::erase_if(outcome.pending, [](const PendingRequest& pending) { return is_of_object(pending.context); });
    return;
  }
  for (PendingRequest& pending : outcome.pending) {
    if (pending.actor.value >= first || pending.kind != PendingRequest::Kind::receive || !is_of_object(pending.context))
      continue;
    const ActorId object = object_of(pending.context);
    pending.kind = PendingRequest::Kind::access;
    pending.destination = object;
    pending.name = "to release its lock on that window";
    add_holders(outcome, first, object, pending.missing);
  }
  std::erase_if(outcome.pending, [&](const PendingRequest& pending) {
    return pending.actor.value >= first || (pending.kind == PendingRequest::Kind::send && is_of_object(pending.context));
  });
  outcome.actors.resize(first);
  for (std::uint32_t a = 0; a < first; ++a) {  // a rank that waits only for the others' ends has ended
    ActorOutcome& actor = outcome.actors[a];
    const auto is_leaving = [&](const PendingRequest& pending) {
      return pending.actor.value == a && pending.context.value == model::end_context;
    };
    if (actor.state == ActorOutcome::State::blocked && std::ranges::any_of(outcome.pending, is_leaving))
      actor = ActorOutcome{};
  }
  std::erase_if(outcome.pending,
                [](const PendingRequest& pending) { return pending.context.value == model::end_context; });
}

}  // namespace rehearse::smpi
