// SPDX-License-Identifier: MIT
//
// See actor_table.hpp.
#include "simcore/engine/actor_table.hpp"

#include <algorithm>
#include <string>
#include <variant>

#include "simcore/birth.hpp"
#include "simcore/engine/run_state.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::engine {

bool ActorTable::place(RunState& run) {
  const std::vector<HostId>& placement = run.options.placement;
  const std::uint32_t count = run.program.actor_count();
  const auto hosts = static_cast<std::uint32_t>(run.platform.hosts().size());
  if (!placement.empty() && placement.size() != count)
    run.fail(fmt::format("the placement names {} hosts for a program of {}", placement.size(), count));
  for (const HostId host : placement)
    if (host.value >= hosts) run.fail("the placement names a host that the platform does not have");
  if (run.error) return false;
  states_.resize(count);
  results_.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    states_[i].host = placement.empty() ? HostId{i % hosts} : placement[i];
    results_[i].host = states_[i].host;
  }
  return true;
}

bool ActorTable::finish(ActorId id, TimePoint now) {
  note_progress();
  ++finished_;
  results_[id.value].stopped = now;
  return wait(states_[id.value], Wait::never);
}

void ActorTable::add_time(ActorId id, const ActorState& actor, TimePoint now) {
  const double elapsed = (now - actor.began).seconds();
  const Operation& operation = *actor.operation;
  if (awaits_birth(operation)) return;
  const auto* await = std::get_if<Await>(&operation);
  const bool computes = await == nullptr ? std::holds_alternative<Compute>(operation) : actor.works_meanwhile;
  const bool sleeps = await == nullptr ? std::holds_alternative<Sleep>(operation) : await->questions.empty();
  if (computes) results_[id.value].compute_seconds += elapsed;
  else if (!sleeps && !std::holds_alternative<Clock>(operation)) add_communication(results_[id.value], actor, elapsed);
}

void ActorTable::add_communication(ActorResult& result, const ActorState& actor, double elapsed) {
  result.communication_seconds += elapsed;
  if (actor.partner > actor.began) result.waiting_seconds += std::min((actor.partner - actor.began).seconds(), elapsed);
}

}  // namespace rehearse::engine
