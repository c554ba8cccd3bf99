// SPDX-License-Identifier: MIT
//
// Computes the clocks of executions in which senders may wait, and collects the publications between events.
#include "mc/predicates/actor_states.hpp"

#include <algorithm>

#include "mc/graph/collective_instance.hpp"

namespace rehearse::mc::predicates {

using graph::Event;
using graph::EventKind;
using graph::Graph;

namespace {

bool waits_for_receive(const Send& send, const Policy& policy) {
  if (send.mode == SendMode::synchronous) return true;
  return send.mode != SendMode::buffered && policy.eager_bytes == 0;
}

// Calls visit(request) for each request that the observation reports as complete.
template <class Visit>
void for_each_completed(const Event& event, Visit&& visit) {
  const auto* observe = std::get_if<Observe>(&event.node->operation);
  if (event.kind != EventKind::observe || !observe || !event.option.flag || event.option.starved) return;
  if (observe->quantifier == Quantifier::all)
    for (const RequestId request : observe->requests) visit(request);
  else
    for (const std::uint32_t i : event.option.completed) visit(observe->requests[i]);
}

}  // namespace

WaitingClocks::WaitingClocks(const Graph& graph, const Policy& policy, const buffering::PolicyOutcome& outcome) {
  const std::vector<EventIndex>& happened = outcome.happened;
  clocks_.resize(graph.actor_count());
  for (std::uint32_t a = 0; a < graph.actor_count(); ++a) {
    const std::vector<Event>& events = graph.actor(a).events;
    // A send in which the actor is blocked is issued, so its clock is needed, too.
    const bool has_sent = happened[a] < events.size() && events[happened[a]].kind == EventKind::send;
    for (EventIndex i = 0; i < happened[a] + has_sent; ++i) {
      const std::span<const std::uint32_t> clock = graph.clock({a, i});
      clocks_[a].insert(clocks_[a].end(), clock.begin(), clock.end());
    }
  }
  if (const std::vector<Wait> waits = waits_of(graph, policy, outcome); !waits.empty()) close(waits);
}

std::vector<WaitingClocks::Wait> WaitingClocks::waits_of(const Graph& graph, const Policy& policy,
                                                         const buffering::PolicyOutcome& outcome) const {
  const std::vector<EventIndex>& happened = outcome.happened;
  std::vector<Wait> waits;
  for (std::uint32_t a = 0; a < graph.actor_count(); ++a) {
    const Graph::Actor& actor = graph.actor(a);
    const auto wait_for_receive = [&](EventIndex events, EventIndex sent) {
      const Event& send = actor.events[sent];
      if (send.kind != EventKind::send || !waits_for_receive(graph.send_of({a, sent}), policy)) return;
      const auto match = std::ranges::find(outcome.matches, graph::EventRef{a, sent},
                                           &std::pair<graph::EventRef, graph::EventRef>::second);
      if (match != outcome.matches.end()) waits.push_back({a, events, match->first});
    };
    const auto wait_for_members = [&](EventIndex events, EventIndex arrived) {
      const Event& arrival = actor.events[arrived];
      if (arrival.kind != EventKind::arrive || !policy.synchronising) return;
      for (std::uint32_t b = 0; b < graph.actor_count(); ++b)
        if (b != a && arrival.instance->arrivals[b] != graph::no_event)
          waits.push_back({a, events, {b, arrival.instance->arrivals[b]}});
    };
    for (EventIndex i = 0; i < happened[a]; ++i) {
      const Event& event = actor.events[i];
      if (event.kind == EventKind::send && graph.send_of({a, i}).blocking) wait_for_receive(i + 1, i);
      if (event.kind != EventKind::observe) continue;
      if (const auto* collective = std::get_if<Collective>(&event.node->operation))
        wait_for_members(i + 1, actor.requests[collective->request.value]);
      for_each_completed(event, [&](RequestId request) {
        wait_for_receive(i + 1, actor.requests[request.value]);
        wait_for_members(i + 1, actor.requests[request.value]);
      });
    }
  }
  return waits;
}

// Adds the needs of the other actor to those of the actor. Returns whether that changed them.
bool WaitingClocks::join(std::uint32_t actor, EventIndex events, std::uint32_t other, EventIndex other_events) {
  bool is_news = false;
  std::uint32_t* const mine = clocks_[actor].data() + (events - 1) * clocks_.size();
  const auto raise = [&](std::uint32_t of, std::uint32_t count) {
    is_news = is_news || mine[of] < count;
    mine[of] = std::max(mine[of], count);
  };
  raise(other, other_events);
  for (std::uint32_t of = 0; of < clocks_.size(); ++of) raise(of, needs(other, other_events, of));
  return is_news;
}

// Joins until nothing changes. An event never waits for a later one, so a few rounds suffice.
void WaitingClocks::close(const std::vector<Wait>& waits) {
  const auto actors = static_cast<std::uint32_t>(clocks_.size());
  for (bool changes = true; changes;) {
    changes = false;
    for (const Wait& wait : waits)
      changes = join(wait.actor, wait.events, wait.needs.actor, wait.needs.event + 1) || changes;
    for (std::uint32_t a = 0; a < actors; ++a)
      for (EventIndex events = 1; events <= clocks_[a].size() / actors; ++events) {
        if (events > 1) changes = join(a, events, a, events - 1) || changes;
        for (std::uint32_t b = 0; b < actors; ++b)
          if (b != a && needs(a, events, b) > 0) changes = join(a, events, b, needs(a, events, b)) || changes;
      }
  }
}

std::vector<std::vector<Publication>> publications_of(const Graph& graph, const std::vector<EventIndex>& happened) {
  std::vector<std::vector<Publication>> all(graph.actor_count());
  for (std::uint32_t a = 0; a < graph.actor_count(); ++a) {
    const Graph::Actor& actor = graph.actor(a);
    const bool is_whole = happened[a] == actor.events.size();
    const history::Node* const last = is_whole ? actor.node : actor.events[happened[a]].node;
    auto events = static_cast<EventIndex>(happened[a]);  // before the publications of the current node
    for (const history::Node* node = last; node != nullptr; node = node->parent) {
      if (node->last_published == nullptr) break;
      while (events > 0 && actor.events[events - 1].node->level >= node->level) --events;
      if (node->published)
        for (auto reported = node->published->rbegin(); reported != node->published->rend(); ++reported)
          all[a].push_back({events, &*reported});
    }
    std::ranges::reverse(all[a]);
  }
  return all;
}

}  // namespace rehearse::mc::predicates
