// SPDX-License-Identifier: MIT
//
// An actor that runs continues as far as it can, because its earlier steps block no other actor. So the order is a
// shortest path among the states at which another actor must take over, found by breadth-first search. If there are too
// many states, the actor that can go farthest takes over.
#include "mc/counterexample/story.hpp"

#include <algorithm>
#include <map>

namespace rehearse::mc::counterexample {

using graph::Graph;

namespace {

constexpr std::size_t states_max = 20'000;

class Liner {
 public:
  Liner(const Graph& graph, const Prefix& prefix) : graph_(graph), prefix_(prefix) {}

  // The first event that the actor cannot reach from `at` alone.
  std::uint32_t reach(const Prefix& at, std::uint32_t actor) const {
    std::uint32_t next = at[actor];
    while (next < prefix_[actor] && is_possible(at, actor, next)) ++next;
    return next;
  }

  std::vector<std::uint32_t> shortest() const {
    std::vector<Known> known{{Prefix(prefix_.size(), 0), 0, 0}};
    std::map<Prefix, std::size_t> index{{known[0].at, 0}};
    for (std::size_t i = 0; i < known.size() && known.size() < states_max; ++i) {
      if (known[i].at == prefix_) return way_to(known, i);
      for (std::uint32_t a = 0; a < prefix_.size(); ++a) {
        Prefix at = known[i].at;
        at[a] = reach(at, a);
        if (at[a] == known[i].at[a] || !index.emplace(at, known.size()).second) continue;
        known.push_back({std::move(at), i, a});
      }
    }
    return {};
  }

  std::vector<std::uint32_t> greedy() const {
    std::vector<std::uint32_t> order;
    Prefix at(prefix_.size(), 0);
    while (at != prefix_) {
      std::uint32_t best = 0, farthest = 0;
      for (std::uint32_t a = 0; a < prefix_.size(); ++a) {
        const std::uint32_t far = reach(at, a) - at[a];
        if (far > farthest) {
          farthest = far;
          best = a;
        }
      }
      if (farthest == 0) break;  // the prefix was not closed
      at[best] += farthest;
      order.push_back(best);
    }
    return order;
  }

 private:
  struct Known {
    Prefix at;
    std::size_t from;
    std::uint32_t by;  // who took over
  };

  bool is_possible(const Prefix& at, std::uint32_t actor, std::uint32_t event) const {
    const std::span<const std::uint32_t> clock = graph_.clock({actor, event});
    for (std::uint32_t a = 0; a < at.size(); ++a)
      if (a != actor && at[a] < clock[a]) return false;
    return true;
  }

  static std::vector<std::uint32_t> way_to(const std::vector<Known>& known, std::size_t state) {
    std::vector<std::uint32_t> order;
    for (; state != 0; state = known[state].from) order.push_back(known[state].by);
    std::reverse(order.begin(), order.end());
    return order;
  }

  const Graph& graph_;
  const Prefix& prefix_;
};

}  // namespace

Prefix past_of(const Graph& graph, std::span<const std::uint32_t> ends, const Prefix& all) {
  Prefix past(all.size(), 0);
  for (const std::uint32_t actor : ends) {
    if (actor >= all.size() || all[actor] == 0) continue;
    const std::span<const std::uint32_t> clock = graph.clock({actor, all[actor] - 1});
    for (std::uint32_t a = 0; a < past.size(); ++a) past[a] = std::max(past[a], std::min(clock[a], all[a]));
  }
  return past;
}

Line line_up(const Graph& graph, const Prefix& prefix) {
  const Liner liner(graph, prefix);
  Line line;
  std::vector<std::uint32_t> order = liner.shortest();
  line.is_least = !order.empty();
  if (order.empty()) order = liner.greedy();
  Prefix at(prefix.size(), 0);
  for (const std::uint32_t actor : order) {
    const std::uint32_t until = liner.reach(at, actor);
    for (; at[actor] < until; ++at[actor]) line.events.push_back({actor, at[actor]});
  }
  line.switches = order.empty() ? 0 : static_cast<std::uint32_t>(order.size() - 1);
  return line;
}

}  // namespace rehearse::mc::counterexample
