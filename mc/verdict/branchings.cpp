// SPDX-License-Identifier: MIT
//
// Counts executions by place.
#include "mc/verdict/branchings.hpp"

#include <algorithm>

#include "mc/records/records.hpp"
#include "mc/reduction/receives_from.hpp"

namespace rehearse::mc::verdict {

namespace {

// Whether the event observes or decides a receive or probe from any source.
bool is_of_any_source(const graph::Graph& graph, graph::EventRef ref, const graph::Event& event) {
  const auto takes_any = [&](RequestId request) {
    const graph::Graph::Actor& actor = graph.actor(ref.actor);
    const graph::EventIndex started = actor.requests[request.value];
    return actor.events[started].kind == graph::EventKind::post && !graph.pattern_of(ref.actor, started).source;
  };
  if (event.kind == graph::EventKind::decide) return takes_any(event.request);
  const Operation& operation = event.node->operation;
  if (const auto* post = std::get_if<Post>(&operation)) return !post->pattern.source;
  if (const auto* probe = std::get_if<Probe>(&operation)) return !probe->pattern.source;
  const auto* observe = std::get_if<Observe>(&operation);
  return observe != nullptr && std::ranges::any_of(observe->requests, takes_any);
}

}  // namespace

std::optional<Branching> branching_of(const reduction::ReceivesFromExplorer& explorer) {
  const std::optional<graph::EventRef> deviation = explorer.trail().last_deviating_event();
  if (!deviation) return std::nullopt;
  const graph::Graph& graph = explorer.graph();
  const graph::Event& event = graph.event(*deviation);
  return Branching{event.node->site, static_cast<std::uint32_t>(event.node->operation.index()),
                   is_of_any_source(graph, *deviation, event), 1};
}

void Branchings::add(const Branching& branching) {
  executions_[{branching.site, branching.operation, branching.of_any_source}] += branching.executions;
}

std::vector<Branching> Branchings::most() const {
  std::vector<Branching> all;
  for (const auto& [place, executions] : executions_)
    all.push_back({std::get<0>(place), std::get<1>(place), std::get<2>(place), executions});
  std::ranges::stable_sort(all, std::ranges::greater(), &Branching::executions);
  if (all.size() > most_reported) all.resize(most_reported);
  return all;
}

std::uint64_t Branchings::all() const {
  std::uint64_t sum = 0;
  for (const auto& [place, executions] : executions_) sum += executions;
  return sum;
}

void Branchings::save(records::Writer& to) const {
  to.number(executions_.size());
  for (const auto& [place, executions] : executions_)
    put(to, Branching{std::get<0>(place), std::get<1>(place), std::get<2>(place), executions});
}

void Branchings::load(records::Reader& from) {
  for (std::size_t remaining = from.count(); remaining > 0; --remaining) {
    Branching branching;
    get(from, branching);
    add(branching);
  }
}

}  // namespace rehearse::mc::verdict
