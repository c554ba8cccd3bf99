// SPDX-License-Identifier: MIT
//
// Looks at each operation once, when it is first asked for.
#include "mc/deeds_watch.hpp"

#include <string_view>

#include "simcore/support/assert.hpp"

namespace rehearse::mc {

namespace {

constexpr std::string_view against = " against ";

Difference difference(Difference::Kind kind, ActorId actor, const CallDescription& where, const TwoSchedules& both) {
  Difference result;
  result.kind = kind;
  result.actor = actor;
  const Frame place = where.frames.empty() ? Frame{} : where.frames[0];
  result.where = {actor, where.call, place.file, place.line, place.function, ""};
  result.one.schedule = both.other;
  result.other.schedule = both.schedule;
  return result;
}

}  // namespace

std::string to_text(const TwoSchedules& both) { return both.schedule + std::string(against) + both.other; }

std::optional<TwoSchedules> compared_schedules(const std::string& text) {
  const std::size_t at = text.find(against);
  if (at == std::string::npos) return std::nullopt;
  return TwoSchedules{text.substr(0, at), text.substr(at + against.size())};
}

DeedsWatch::DeedsWatch(Program& program, const Courses* first)
    : program_(program), first_(first), courses_(program.actor_count()), states_(program.actor_count()) {}

const Operation& DeedsWatch::next(ActorId actor) {
  const Operation& operation = program_.next(actor);
  State& state = states_[actor.value];
  if (!state.is_known) look(actor, operation);
  state.is_known = true;
  return operation;
}

void DeedsWatch::resume(ActorId actor, const Observation& observation) {
  if (!states_[actor.value].is_known) next(actor);
  program_.resume(actor, observation);
  states_[actor.value].is_known = false;
}

void DeedsWatch::restart(ActorId actor) {
  program_.restart(actor);
  states_[actor.value] = {};
  courses_[actor.value].clear();
}

void DeedsWatch::restore(ActorId, const Snapshot&) {
  REHEARSE_ASSERT(false, "a snapshot that was never taken");
}

void DeedsWatch::look(ActorId actor, const Operation& operation) {
  State& state = states_[actor.value];
  if (const auto* log = std::get_if<Log>(&operation)) state.deeds.add(*log);
  if (is_local(operation)) return;
  if (const auto* send = std::get_if<Send>(&operation))
    state.deeds.add(*send, hash_of_data(operation));
  state.has_ended = std::holds_alternative<End>(operation);
  std::vector<Deeds>& course = courses_[actor.value];
  course.push_back(state.deeds);
  if (first_ == nullptr) return;
  const std::vector<Deeds>& theirs = (*first_)[actor.value];
  const std::size_t at = course.size() - 1;
  const bool is_longer = at >= theirs.size();
  if (!state.output_differs && (is_longer || state.has_ended || theirs[at].output != state.deeds.output))
    state.output_differs = program_.describe(actor);
  if (!state.sends_differ && (is_longer || state.has_ended || theirs[at].sends != state.deeds.sends))
    state.sends_differ = program_.describe(actor);
}

std::vector<Difference> DeedsWatch::differences(const TwoSchedules& both) const {
  std::vector<Difference> all;
  for (const State& state : states_)
    if (!state.has_ended || first_ == nullptr) return all;
  for (std::uint32_t a = 0; a < states_.size(); ++a) {
    if ((*first_)[a].empty()) continue;
    const Deeds& theirs = (*first_)[a].back();
    const State& mine = states_[a];
    if (mine.deeds.output != theirs.output)
      all.push_back(difference(Difference::Kind::output, {a}, *mine.output_differs, both));
    if (mine.deeds.sends != theirs.sends)
      all.push_back(difference(Difference::Kind::sends, {a}, *mine.sends_differ, both));
  }
  return all;
}

}  // namespace rehearse::mc
