// SPDX-License-Identifier: MIT
//
// Passes all waits in an order in which that is possible.
#include "mc/predict/must_order.hpp"

#include <algorithm>

#include "mc/graph/collective_instance.hpp"

namespace rehearse::mc::predict {

namespace {

// A segment that must have begun.
struct Begun {
  Index actor, segment;
};

class Needs {
 public:
  Needs(const graph::Graph& graph, const Course& course, const Clusters& clusters,
        const std::vector<Completion>& completions, const Policy& policy)
      : graph_(graph), course_(course), clusters_(clusters), completions_(completions), policy_(policy) {
    segment_of_.resize(course.actor_count());
    for (const Arrival& arrival : course.arrivals) {
      auto& segments = segment_of_[arrival.actor];
      if (segments.size() <= arrival.event.event) segments.resize(arrival.event.event + 1, 0);
      segments[arrival.event.event] = arrival.segment;
    }
    for (Index a = 0; a < graph.actor_count(); ++a)
      everything_.push_back(static_cast<std::uint32_t>(graph.actor(a).events.size()));
  }

  // The segments that must have begun before the wait is passed. False: it is never passed.
  bool of(const Wait& wait, std::vector<Begun>& needs) const {
    needs.clear();
    return std::ranges::all_of(wait.needs, [&](const Request& request) { return add(request, needs); });
  }

 private:
  bool add(const Request& request, std::vector<Begun>& needs) const {
    switch (request.kind) {
      case Request::Kind::message: return add_message(request.index, needs);
      case Request::Kind::receive: return add_receive(request.index, needs);
      case Request::Kind::arrival: return add_arrival(course_.arrivals[request.index], needs);
    }
    return false;
  }

  bool add_message(Index m, std::vector<Begun>& needs) const {
    if (completions_[m] != Completion::when_matched) return true;
    const Index r = clusters_.receive_of[m];
    if (r != none && r != Clusters::open) needs.push_back({course_.receives[r].actor, course_.receives[r].segment});
    return r != none;
  }

  bool add_receive(Index r, std::vector<Begun>& needs) const {
    const Index m = clusters_.message_of[r];
    if (m != none && m != Clusters::open) needs.push_back({course_.messages[m].source, course_.messages[m].segment});
    return m != none;
  }

  bool add_arrival(const Arrival& arrival, std::vector<Begun>& needs) const {
    if (!graph::collective_complete(graph_, arrival.event, everything_, policy_.synchronising)) return false;
    const graph::Event& event = graph_.event(arrival.event);
    const auto& collective = std::get<Collective>(event.node->operation);
    const std::size_t self = graph::position_in(collective, arrival.actor);
    for (std::size_t i = 0; i < collective.members.size(); ++i) {
      const Index member = collective.members[i].value;
      if (member == arrival.actor || (!policy_.synchronising && !rehearse::needs(collective, self, i))) continue;
      needs.push_back({member, segment_of_[member][event.instance->arrivals[member]]});
    }
    return true;
  }

  const graph::Graph& graph_;
  const Course& course_;
  const Clusters& clusters_;
  const std::vector<Completion>& completions_;
  const Policy& policy_;
  std::vector<std::vector<Index>> segment_of_;  // by actor and event: of arrivals
  std::vector<std::uint32_t> everything_;
};

}  // namespace

std::size_t MustOrder::words_of(const Course& course) {
  std::size_t segments = 0;
  for (const auto& waits : course.waits) segments += waits.size() + 1;
  return segments * course.waits.size();
}

MustOrder::MustOrder(const graph::Graph& graph, const Course& course, const Clusters& clusters,
                     const std::vector<Completion>& completions, const Policy& policy)
    : actors_(course.waits.size()), past_(words_of(course), 0), last_(actors_, 0) {
  std::size_t segments = 0;
  for (const auto& waits : course.waits) {
    first_.push_back(segments);
    segments += waits.size() + 1;
  }
  const Needs all(graph, course, clusters, completions, policy);
  std::vector<std::vector<Begun>> sleepers(actors_);  // by actor: the segment awaited, and who waits for it
  std::vector<Index> ready;
  for (Index a = 0; a < actors_; ++a) ready.push_back(a);
  std::vector<Begun> needs;
  while (!ready.empty()) {
    const Index a = ready.back();
    ready.pop_back();
    while (last_[a] < course.waits[a].size() && all.of(course.waits[a][last_[a]], needs)) {
      const auto missing = std::ranges::find_if(needs, [&](const Begun& b) { return last_[b.actor] < b.segment; });
      if (missing != needs.end()) {
        sleepers[missing->actor].push_back({a, missing->segment});
        break;
      }
      const std::span<Index> next = at(a, last_[a] + 1);
      std::ranges::copy(before(a, last_[a]), next.begin());
      for (const Begun& need : needs) {
        const std::span<const Index> past = before(need.actor, need.segment);
        for (Index c = 0; c < actors_; ++c) next[c] = std::max(next[c], past[c]);
      }
      next[a] = ++last_[a];
      std::erase_if(sleepers[a], [&](const Begun& sleeper) {
        if (sleeper.segment > last_[a]) return false;
        ready.push_back(sleeper.actor);
        return true;
      });
    }
  }
  for (Index a = 0; a < actors_; ++a) reaches_the_end_ = reaches_the_end_ && last_[a] == course.waits[a].size();
}

}  // namespace rehearse::mc::predict
