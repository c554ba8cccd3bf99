// SPDX-License-Identifier: MIT
//
// Records observable effects, operation by operation, in the same form as the nodes of an exploration.
#include "mc/effects_watch.hpp"

#include <string_view>

#include "simcore/published.hpp"

namespace rehearse::mc {

namespace {

Difference difference(Difference::Kind kind, const Location& where, const Witness& both) {
  Difference result;
  result.kind = kind;
  result.actor = where.actor;
  result.where = where;
  result.one.schedule = *both.compared_with;
  result.other.schedule = both.schedule;
  return result;
}

}  // namespace

EffectsWatch::EffectsWatch(Program& program, const EffectTraces* first)
    : WatchedProgram(program), first_(first), traces_(program.actor_count()), states_(program.actor_count()) {}

void EffectsWatch::forget(ActorId actor) {
  states_[actor.value] = {};
  traces_[actor.value].clear();
}

Location EffectsWatch::where_it_stands(ActorId actor) {
  const CallDescription standing = program_.describe(actor);
  const Frame place = standing.frames.empty() ? Frame{} : standing.frames[0];
  return {actor, standing.call, place.file, place.line, place.function, ""};
}

void EffectsWatch::look(ActorId actor, const Operation& operation) {
  State& state = states_[actor.value];
  if (const auto* log = std::get_if<Log>(&operation)) {
    if (log->stream != published_stream) state.effects.add(*log);
    else if (const Published reported = read_published(log->text); reported.kind == Published::Kind::result)
      state.effects.add(reported);
  }
  if (history::is_local(operation)) return;
  if (const auto* send = std::get_if<Send>(&operation)) state.effects.add(*send, history::hash_of_data(operation));
  state.has_ended = std::holds_alternative<End>(operation);
  traces_[actor.value].push_back(state.effects);
  if (first_ != nullptr) compare(actor);
}

void EffectsWatch::compare(ActorId actor) {
  State& state = states_[actor.value];
  const std::vector<history::ObservableEffects>& theirs = (*first_)[actor.value];
  const std::size_t at = traces_[actor.value].size() - 1;
  const bool is_over = at >= theirs.size() || state.has_ended;
  if (!state.output_differs && (is_over || theirs[at].output != state.effects.output))
    state.output_differs = where_it_stands(actor);
  if (!state.sends_differ && (is_over || theirs[at].sends != state.effects.sends))
    state.sends_differ = where_it_stands(actor);
  if (!state.results_differ && (is_over || theirs[at].results != state.effects.results)) {
    const Frame place = program_.locate(actor, {"", state.effects.reported_at});
    state.results_differ = {actor, "", place.file, place.line, place.function, ""};
  }
}

std::vector<Difference> EffectsWatch::differences(const Witness& both) const {
  std::vector<Difference> all;
  for (const State& state : states_)
    if (!state.has_ended || first_ == nullptr) return all;
  for (std::uint32_t a = 0; a < states_.size(); ++a) {
    if ((*first_)[a].empty()) continue;
    const history::ObservableEffects& theirs = (*first_)[a].back();
    const State& mine = states_[a];
    if (mine.effects.output != theirs.output)
      all.push_back(difference(Difference::Kind::output, *mine.output_differs, both));
    if (mine.effects.sends != theirs.sends)
      all.push_back(difference(Difference::Kind::sends, *mine.sends_differ, both));
    if (mine.effects.results != theirs.results)
      all.push_back(difference(Difference::Kind::results, *mine.results_differ, both));
  }
  return all;
}

}  // namespace rehearse::mc
