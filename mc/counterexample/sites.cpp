// SPDX-License-Identifier: MIT
//
// Looks up places, and counts how often an actor was there.
#include "mc/counterexample/sites.hpp"

#include "simcore/notice.hpp"

namespace rehearse::mc::counterexample {

using graph::EventIndex;
using graph::EventRef;
using graph::Graph;
using graph::no_event;

const Sites::Place& Sites::place(const history::Node& node) {
  const auto look_up = [&] {
    history_.visit(&node);
    const CallDescription where = program_.describe(node.actor);
    Place place{where.call.substr(0, where.call.find('(')), "", "", 0};
    if (where.frames.empty()) return place;
    const Frame& frame = where.frames.front();
    place.function = frame.function;
    place.file = frame.file;
    place.line = frame.line;
    return place;
  };
  if (node.site == 0) {
    const std::pair key{node.actor.value, node.name};
    const auto known = unnamed_.find(key);
    return known != unnamed_.end() ? known->second : unnamed_.emplace(key, look_up()).first->second;
  }
  const std::tuple key{node.actor.value, node.site, node.operation.index()};
  const auto known = places_.find(key);
  return known != places_.end() ? known->second : places_.emplace(key, look_up()).first->second;
}

// `occurrence` counts the events of the same kind from the same call in the same function.
CallSite Sites::named(const Graph& graph, const history::Node& node, graph::EventKind kind, EventIndex before) {
  const Place here = place(node);
  CallSite site{node.actor, here.call, here.function, here.file, here.line, 1};
  const std::vector<graph::Event>& events = graph.actor(node.actor.value).events;
  for (EventIndex i = 0; i < before; ++i) {
    if (events[i].kind != kind) continue;
    const Place& other = place(*events[i].node);
    site.occurrence += other.call == here.call && other.function == here.function;
  }
  return site;
}

CallSite Sites::of(const Graph& graph, EventRef ref) {
  const graph::Event& event = graph.event(ref);
  return named(graph, *event.node, event.kind, ref.event);
}

std::string Sites::call_in_full(const Graph& graph, EventRef ref) {
  const history::Node& node = *graph.event(ref).node;
  history_.visit(&node);
  return program_.describe(node.actor).call;
}

CallSite Sites::of_next(const Graph& graph, std::uint32_t actor) {
  const Graph::Actor& a = graph.actor(actor);
  return named(graph, *a.node, graph::EventKind::observe, static_cast<EventIndex>(a.events.size()));
}

EventRef Sites::started(const Graph& graph, ActorId actor, RequestId request) const {
  const std::vector<EventIndex>& requests = graph.actor(actor.value).requests;
  return {actor.value, request.value < requests.size() ? requests[request.value] : no_event};
}

Meaning Sites::meaning(const Graph& graph, const history::Node& node, const Answer& answer) const {
  if (!answer.flag || answer.completed.empty()) return Meaning::plain;
  if (const auto* choose = std::get_if<Choose>(&node.operation)) {
    const bool is_first = answer.completed.front() == 0;
    if (choose->what == choice_to_fail) return is_first ? Meaning::goes_on : Meaning::fails;
    if (choose->what == choice_of_failing_actor) return is_first ? Meaning::chooses_nobody : Meaning::chooses_who_fails;
  }
  const auto* observe = std::get_if<Observe>(&node.operation);
  if (observe == nullptr) return Meaning::plain;
  const auto notice_at = [&](std::size_t index) -> std::optional<Tag> {
    const EventRef post = started(graph, node.actor, observe->requests[index]);
    if (post.event == no_event || !is_notice(graph.event(post).node->operation)) return std::nullopt;
    return graph.pattern_of(post.actor, post.event).tag;
  };
  for (const std::uint32_t index : answer.completed) {
    if (notice_at(index) == death_notice_tag) return Meaning::hears_of_failure;
    if (notice_at(index) == revocation_notice_tag) return Meaning::hears_of_revocation;
  }
  for (std::size_t i = 0; i < observe->requests.size(); ++i)
    if (notice_at(i)) return Meaning::completes;
  return Meaning::plain;
}

Decision Sites::decision(const Graph& graph, EventRef event, const Forced& forced) {
  Decision decision;
  const bool has_happened = event.event < graph.actor(event.actor).events.size();
  decision.at = has_happened ? of(graph, event) : of_next(graph, event.actor);
  const history::Node& node = has_happened ? *graph.event(event).node : *graph.actor(event.actor).node;
  for (const auto& [receive, send] : forced.schedule.matches) {
    const EventRef post = started(graph, receive.first, receive.second);
    const EventRef message = started(graph, send.source, send.request);
    if (post.event == no_event || message.event == no_event) continue;
    if (is_notice(graph.event(message).node->operation)) continue;  // of the library: the answer says it
    decision.matches.push_back({of(graph, post), of(graph, message),
                                !graph.pattern_of(post.actor, post.event).source.has_value(), receive.second,
                                send.request});
  }
  for (const auto& [operation, answer] : forced.schedule.answers) {
    DecidedAnswer& reported = decision.answer.emplace();
    reported.flag = answer.flag;
    reported.completed = answer.completed;
    reported.means = meaning(graph, node, answer);
    if (!answer.flag || !answer.completed.empty()) continue;
    const EventRef message = started(graph, answer.seen.source, answer.seen.request);
    if (message.event != no_event) reported.seen = of(graph, message);
  }
  decision.waits_for_ever = !forced.starved.empty();
  return decision;
}

}  // namespace rehearse::mc::counterexample
