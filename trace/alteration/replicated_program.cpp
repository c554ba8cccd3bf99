// SPDX-License-Identifier: MIT
//
// See replicated_program.hpp.
#include "trace/alteration/replicated_program.hpp"

#include <utility>
#include <variant>

#include "simcore/support/assert.hpp"

namespace rehearse::trace::alteration {

ReplicatedProgram::ReplicatedProgram(std::vector<std::unique_ptr<ReplayedProgram>> replicas)
    : replicas_(std::move(replicas)),
      size_(replicas_.front()->actor_count()),
      ranks_(replicas_.size() * size_),
      contexts_(replicas_.size()) {
  for (const auto& replica : replicas_) REHEARSE_ASSERT(replica->actor_count() == size_, "replicas are the same trace");
}

const std::optional<Error>& ReplicatedProgram::problem() const {
  for (const auto& replica : replicas_)
    if (replica->problem()) return replica->problem();
  return replicas_.front()->problem();
}

std::uint64_t ReplicatedProgram::actions() const {
  std::uint64_t actions = 0;
  for (const auto& replica : replicas_) actions += replica->actions();
  return actions;
}

FrozenAnswers ReplicatedProgram::frozen() const {
  FrozenAnswers frozen;
  for (const auto& replica : replicas_) {
    frozen.wildcards += replica->frozen().wildcards;
    frozen.polls += replica->frozen().polls;
  }
  return frozen;
}

ContextId ReplicatedProgram::context_of(std::uint32_t first, ContextId context) {
  const auto [known, is_new] = contexts_[first / size_].try_emplace(context.value, next_context_);
  next_context_ += is_new;
  return {known->second};
}

bool ReplicatedProgram::move(std::uint32_t first, Rank& rank) {
  const auto move_pattern = [&](Pattern& pattern) {
    pattern.context = context_of(first, pattern.context);
    if (pattern.source) pattern.source = outer(first, *pattern.source);
  };
  if (const auto* send = std::get_if<Send>(rank.asked)) {
    Send& moved = rank.moved.emplace<Send>(*send);
    moved.context = context_of(first, send->context);
    moved.destination = outer(first, send->destination);
  } else if (const auto* post = std::get_if<Post>(rank.asked)) {
    move_pattern(rank.moved.emplace<Post>(*post).pattern);
  } else if (const auto* probe = std::get_if<Probe>(rank.asked)) {
    move_pattern(rank.moved.emplace<Probe>(*probe).pattern);
  } else if (const auto* collective = std::get_if<Collective>(rank.asked)) {
    Collective& moved = rank.moved.emplace<Collective>(*collective);
    rank.members.clear();
    for (const ActorId member : collective->members) rank.members.push_back(outer(first, member));
    moved.context = context_of(first, collective->context);
    moved.members = rank.members;
  } else {
    return false;
  }
  return true;
}

const Operation& ReplicatedProgram::next(ActorId actor) {
  Rank& rank = ranks_[actor.value];
  if (rank.asked == nullptr) {
    rank.asked = &of(actor).next(inner(actor));
    rank.is_moved = move(actor.value - inner(actor).value, rank);
  }
  return rank.is_moved ? rank.moved : *rank.asked;
}

void ReplicatedProgram::resume(ActorId actor, const Observation& observation) {
  ranks_[actor.value].asked = nullptr;
  const std::uint32_t first = actor.value - inner(actor).value;
  if (first == 0 || observation.completions.empty()) return of(actor).resume(inner(actor), observation);
  // Completions of sends have no source.
  completions_.assign(observation.completions.begin(), observation.completions.end());
  for (Completion& completion : completions_)
    if (completion.source.value >= first) completion.source.value -= first;
  Observation moved = observation;
  moved.completions = completions_;
  of(actor).resume(inner(actor), moved);
}

void ReplicatedProgram::restart(ActorId actor) {
  ranks_[actor.value].asked = nullptr;
  of(actor).restart(inner(actor));
}

void ReplicatedProgram::restore(ActorId, const Snapshot&) { REHEARSE_ASSERT(false, "save() returned null"); }

CallDescription ReplicatedProgram::describe(ActorId actor) {
  CallDescription description = of(actor).describe(inner(actor));
  for (Numbering& numbering : description.numberings)
    for (ActorId& member : numbering.members) member = outer(actor.value - inner(actor).value, member);
  return description;
}

}  // namespace rehearse::trace::alteration

namespace rehearse::trace {

Result<std::unique_ptr<ReplayedProgram>> open_replicas(const std::string& path, Wildcards wildcards,
                                                       std::uint32_t count) {
  auto first = open_program(path, wildcards);
  if (!first || count == 1) return first;
  const std::uint32_t ranks = first.value()->actor_count();
  if (ranks > most_replicated_ranks / count)
    return Error{path + ": " + std::to_string(count) + " replicas of " + std::to_string(ranks) +
                 " ranks; accepted: at most " + std::to_string(most_replicated_ranks) + " ranks in all"};
  std::vector<std::unique_ptr<ReplayedProgram>> replicas;
  replicas.push_back(std::move(first.value()));
  while (replicas.size() < count) {
    auto next = open_program(path, wildcards);
    if (!next) return next.error();
    replicas.push_back(std::move(next.value()));
  }
  return std::unique_ptr<ReplayedProgram>(std::make_unique<alteration::ReplicatedProgram>(std::move(replicas)));
}

}  // namespace rehearse::trace
