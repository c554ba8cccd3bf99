// SPDX-License-Identifier: MIT
//
// The wait-for graph: needs from the outcome, and closures over their providers.
#include "properties/wait_graph.hpp"

#include <algorithm>

namespace rehearse::properties {

namespace {

void sort_uniquely(std::vector<ActorId>& actors) {
  std::sort(actors.begin(), actors.end());
  actors.erase(std::unique(actors.begin(), actors.end()), actors.end());
}

bool contains(const std::vector<ActorId>& actors, ActorId actor) {
  return std::binary_search(actors.begin(), actors.end(), actor);
}

}  // namespace

WaitGraph::WaitGraph(const Outcome& outcome)
    : outcome_(outcome), leaving_(outcome.actors.size()), reasons_(outcome.actors.size()) {
  find_leaving();
  for (std::uint32_t i = 0; i < outcome.actors.size(); ++i) {
    if (!is_blocked({i})) continue;
    std::vector<Need> needs = needs_of({i});
    const auto fewest = std::min_element(needs.begin(), needs.end(),
                                         [this](const Need& a, const Need& b) { return living(a) < living(b); });
    if (fewest != needs.end()) reasons_[i] = std::move(*fewest);
  }
}

bool WaitGraph::is_blocked(ActorId actor) const {
  return outcome_.actors[actor.value].state == ActorOutcome::State::blocked && !leaving_[actor.value];
}

void WaitGraph::find_leaving() {
  std::vector<bool> leaving(outcome_.actors.size());
  for (const PendingRequest& pending : outcome_.pending)
    if (pending.kind == PendingRequest::Kind::collective && pending.name == "MPI_Finalize")
      leaving[pending.actor.value] = true;
  for (std::uint32_t i = 0; i < outcome_.actors.size(); ++i)
    if (is_blocked({i}) && !leaving[i]) {
      leaving_ = std::move(leaving);
      return;
    }
}

std::size_t WaitGraph::living(const Need& need) const {
  return static_cast<std::size_t>(
      std::count_if(need.providers.begin(), need.providers.end(), [this](ActorId actor) { return is_blocked(actor); }));
}

// The actor of a wildcard receive is not its own provider, because it is blocked in the receive.
void WaitGraph::add_providers(Need& need, ActorId actor, const Pattern& pattern) const {
  if (pattern.source) {
    need.providers.push_back(*pattern.source);
    return;
  }
  for (std::uint32_t i = 0; i < outcome_.actors.size(); ++i)
    if (i != actor.value) need.providers.push_back({i});
}

std::vector<Need> WaitGraph::needs_of(ActorId actor) const {
  const ActorOutcome& waits = outcome_.actors[actor.value];
  std::vector<Need> needs;
  for (const Pattern& probe : waits.probes) {
    Need& need = needs.emplace_back();
    need.probes = {&probe};
    add_providers(need, actor, probe);
  }
  for (const PendingRequest& pending : outcome_.pending) {
    if (pending.actor != actor ||
        std::find(waits.waits_for.begin(), waits.waits_for.end(), pending.request) == waits.waits_for.end())
      continue;
    const bool waits_for_members = pending.kind == PendingRequest::Kind::collective ||
                                   pending.kind == PendingRequest::Kind::access;
    if (waits_for_members && !waits.any_suffices) {
      for (const ActorId member : pending.missing) needs.push_back({{member}, {&pending}, {}});
      if (!pending.missing.empty()) continue;
    }
    Need& need = needs.emplace_back();
    need.requests = {&pending};
    switch (pending.kind) {
      case PendingRequest::Kind::send: need.providers = {pending.destination}; break;
      case PendingRequest::Kind::receive: add_providers(need, actor, pending.pattern); break;
      case PendingRequest::Kind::collective:
      case PendingRequest::Kind::access: need.providers = pending.missing; break;
    }
  }
  if (waits.any_suffices && needs.size() > 1) {
    Need one;
    for (const Need& need : needs) {
      one.providers.insert(one.providers.end(), need.providers.begin(), need.providers.end());
      one.requests.insert(one.requests.end(), need.requests.begin(), need.requests.end());
      one.probes.insert(one.probes.end(), need.probes.begin(), need.probes.end());
    }
    needs = {std::move(one)};
  }
  for (Need& need : needs) sort_uniquely(need.providers);
  return needs;
}

// The actor and all blocked actors to which its reason leads.
std::vector<ActorId> WaitGraph::closure(ActorId actor) const {
  std::vector<ActorId> reached{actor};
  std::vector<bool> is_reached(outcome_.actors.size());
  is_reached[actor.value] = true;
  for (std::size_t i = 0; i < reached.size(); ++i)
    for (const ActorId provider : reason(reached[i]).providers) {
      if (!is_blocked(provider) || is_reached[provider.value]) continue;
      is_reached[provider.value] = true;
      reached.push_back(provider);
    }
  std::sort(reached.begin(), reached.end());
  return reached;
}

std::vector<std::vector<ActorId>> WaitGraph::minimal_blocked_sets() const {
  std::vector<std::vector<ActorId>> closures;
  for (std::uint32_t i = 0; i < outcome_.actors.size(); ++i)
    if (is_blocked({i})) closures.push_back(closure({i}));
  std::stable_sort(closures.begin(), closures.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
  // A closure that meets a smaller one leads into it, so it has no separate cause.
  std::vector<std::vector<ActorId>> minimal;
  std::vector<bool> is_explained(outcome_.actors.size());
  for (auto& candidate : closures) {
    if (std::any_of(candidate.begin(), candidate.end(), [&](ActorId actor) { return is_explained[actor.value]; }))
      continue;
    for (const ActorId actor : candidate) is_explained[actor.value] = true;
    minimal.push_back(std::move(candidate));
  }
  std::sort(minimal.begin(), minimal.end());
  return minimal;
}

std::vector<ActorId> WaitGraph::followers(const std::vector<ActorId>& blocked_set) const {
  std::vector<ActorId> followers;
  for (std::uint32_t i = 0; i < outcome_.actors.size(); ++i) {
    if (!is_blocked({i}) || contains(blocked_set, {i})) continue;
    const std::vector<ActorId> reached = closure({i});
    if (std::any_of(blocked_set.begin(), blocked_set.end(), [&](ActorId actor) { return contains(reached, actor); }))
      followers.push_back({i});
  }
  return followers;
}

}  // namespace rehearse::properties
