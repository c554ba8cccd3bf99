// SPDX-License-Identifier: MIT
//
// Greedy replay of an execution graph under a buffering and collective policy.
#include "mc/buffering/policy_replay.hpp"

#include <algorithm>

#include "mc/reduction/questions.hpp"

namespace rehearse::mc {

Hash128 class_of(const Graph& graph, const PolicyOutcome& outcome) {
  boost::container::small_vector<Hash128, 16> histories;
  for (std::uint32_t a = 0; a < graph.actor_count(); ++a)
    histories.push_back(outcome.happened[a] == 0 ? Hash128{}
                                                 : graph.actor(a).events[outcome.happened[a] - 1].history);
  return hash_bytes(histories.data(), histories.size() * sizeof histories[0]);
}

bool has_partial_collectives(const Graph& graph) { return graph.tally().partial_arrivals > 0; }

bool restricts(const Graph& graph, const Policy& policy) {
  const Graph::Tally& tally = graph.tally();
  return tally.starved > 0 || tally.synchronous_sends > 0 || (policy.synchronising && tally.partial_arrivals > 0) ||
         (policy.eager_bytes != Policy::infinite && tally.standard_sends > 0);
}

void PolicyReplay::run(const Graph& graph, const Policy& policy, const Visitor& visit) {
  graph_ = &graph;
  policy_ = policy;
  matches_.clear();
  at_.assign(graph.actor_count(), 0);
  fired_.resize(graph.actor_count());
  for (std::uint32_t a = 0; a < graph.actor_count(); ++a) fired_[a].assign(graph.actor(a).events.size(), 0);
  find_denials();
  explore_rest(visit);
}

// Refused probes that would find a message which another probe reported before, and which the execution does not
// settle before them, were it in sight.
void PolicyReplay::find_denials() {
  known_.resize(graph_->actor_count());
  denials_.resize(graph_->actor_count());
  for (std::uint32_t a = 0; a < graph_->actor_count(); ++a) {
    known_[a].clear();
    denials_[a].clear();
    const std::vector<Event>& events = graph_->actor(a).events;
    for (EventIndex i = 0; i < events.size(); ++i) {
      if (events[i].option.seen.event != no_event) known_[a].push_back({i, events[i].option.seen});
      if (known_[a].empty() || events[i].kind != EventKind::observe || events[i].option.flag) continue;
      if (!std::holds_alternative<Probe>(events[i].node->operation)) continue;
      const auto in_doubt = [&](const Known& known) { return is_in_doubt(a, i, known); };
      if (std::any_of(known_[a].begin(), known_[a].end(), in_doubt)) denials_[a].push_back(i);
    }
  }
}

// Whether the refused probe knows of this message and the execution settles it later, if at all.
bool PolicyReplay::is_in_doubt(std::uint32_t actor, EventIndex probe, const Known& known) const {
  return known.by < probe && graph_->event(known.send).decided_by > probe &&
         accepts(denied(actor, probe), known.send.actor, graph_->send_of(known.send));
}

const Pattern& PolicyReplay::denied(std::uint32_t actor, EventIndex probe) const {
  return std::get<Probe>(graph_->actor(actor).events[probe].node->operation).pattern;
}

// A message that a probe reported before is found again for as long as it is visible.
bool PolicyReplay::deniable(std::uint32_t actor, EventIndex probe) const {
  if (!std::binary_search(denials_[actor].begin(), denials_[actor].end(), probe)) return true;
  return std::none_of(known_[actor].begin(), known_[actor].end(), [&](const Known& known) {
    return is_in_doubt(actor, probe, known) && visible(actor, denied(actor, probe), known.send);
  });
}

// The execution settles this receive after a probe that is still to be refused, and it, or its message, may hide one
// from it.
bool PolicyReplay::hides(std::uint32_t receiver, EventIndex post) const {
  const std::vector<EventIndex>& denials = denials_[receiver];
  if (denials.empty()) return false;
  const Event& event = graph_->actor(receiver).events[post];
  const EventRef message = event.partner;
  for (auto probe = std::lower_bound(denials.begin(), denials.end(), std::max(at_[receiver], post));
       probe != denials.end() && *probe < event.decided_by; ++probe)
    for (const Known& known : known_[receiver]) {
      if (!is_in_doubt(receiver, *probe, known)) continue;
      if (accepts(graph_->pattern_of(receiver, post), known.send.actor, graph_->send_of(known.send))) return true;
      if (message.actor == known.send.actor && message.event < known.send.event) return true;
    }
  return false;
}

bool PolicyReplay::issued(EventRef send) const { return send.event <= at_[send.actor]; }

// A message is complete for its sender: it was matched, or the policy lets it be buffered.
bool PolicyReplay::send_complete(EventRef send) const {
  if (fired_[send.actor][send.event]) return true;
  const Send& message = graph_->send_of(send);
  if (message.mode == SendMode::buffered) return true;
  if (message.mode == SendMode::synchronous) return false;
  if (policy_.eager_bytes == Policy::infinite) return true;
  if (policy_.eager_bytes == 0) return false;
  std::uint64_t buffered = 0;
  for (const EventIndex other : graph_->actor(message.destination.value).inbox[send.actor]) {
    if (other > send.event) break;
    if (!fired_[send.actor][other]) buffered += graph_->send_of({send.actor, other}).data.size();
  }
  return buffered <= policy_.eager_bytes;
}

bool PolicyReplay::collective_done(EventRef arrival) const {
  return collective_complete(*graph_, arrival, at_, policy_.synchronising);
}

bool PolicyReplay::request_complete(std::uint32_t actor, RequestId request) const {
  const EventRef started{actor, graph_->actor(actor).requests[request.value]};
  switch (graph_->event(started).kind) {
    case EventKind::send: return send_complete(started);
    case EventKind::arrive: return collective_done(started);
    default: return fired_[actor][started.event];
  }
}

// No receive or probe finds this message any more: it was matched, or a probe took it.
bool PolicyReplay::gone(EventRef send) const {
  if (fired_[send.actor][send.event]) return true;
  const Event& event = graph_->event(send);
  if (event.decided_by == no_event) return false;
  const Event& settling = graph_->event({event.partner.actor, event.decided_by});
  return settling.option.seen == send && event.decided_by < at_[event.partner.actor] &&
         std::holds_alternative<Probe>(settling.node->operation);
}

// A posted receive that has no message and was not withdrawn.
bool PolicyReplay::waiting(std::uint32_t receiver, EventIndex post) const {
  if (fired_[receiver][post]) return false;
  const Event& event = graph_->actor(receiver).events[post];
  return event.decided_by == no_event || event.partner.event != no_event || event.decided_by >= at_[receiver];
}

// Can a probe see this message now?
bool PolicyReplay::visible(std::uint32_t actor, const Pattern& pattern, EventRef send) const {
  const Graph::Actor& a = graph_->actor(actor);
  const Send& message = graph_->send_of(send);
  if (!issued(send) || gone(send) || !accepts(pattern, send.actor, message)) return false;
  for (const EventIndex other : a.inbox[send.actor]) {
    if (other >= send.event) break;
    if (!gone({send.actor, other}) && accepts(pattern, send.actor, graph_->send_of({send.actor, other}))) return false;
  }
  for (const EventIndex post : a.posts) {
    if (post >= at_[actor]) break;
    if (waiting(actor, post) && accepts(graph_->pattern_of(actor, post), send.actor, message)) return false;
  }
  return true;
}

bool PolicyReplay::observed(std::uint32_t actor, const Event& event) const {
  const Operation& operation = event.node->operation;
  if (const auto* post = std::get_if<Post>(&operation)) return request_complete(actor, post->request);
  if (const auto* collective = std::get_if<Collective>(&operation))
    return request_complete(actor, collective->request);
  if (const auto* probe = std::get_if<Probe>(&operation)) return visible(actor, probe->pattern, event.option.seen);
  if (std::holds_alternative<Choose>(operation)) return true;
  const Observe& observe = std::get<Observe>(operation);
  if (observe.quantifier == Quantifier::all)
    return std::all_of(observe.requests.begin(), observe.requests.end(),
                       [&](RequestId r) { return request_complete(actor, r); });
  return std::all_of(event.option.completed.begin(), event.option.completed.end(),
                     [&](std::uint32_t i) { return request_complete(actor, observe.requests[i]); });
}

bool PolicyReplay::can_happen(std::uint32_t actor, const Event& event) const {
  switch (event.kind) {
    case EventKind::post:
    case EventKind::arrive: return true;
    case EventKind::send: {
      const Send& send = std::get<Send>(event.node->operation);
      return !send.blocking || send_complete({actor, at_[actor]});
    }
    case EventKind::decide: return !event.option.starved;
    case EventKind::observe:
      if (event.option.starved) return false;
      return event.option.flag ? observed(actor, event) : deniable(actor, at_[actor]);
  }
  return false;
}

bool PolicyReplay::advance(std::uint32_t actor) {
  const std::vector<Event>& events = graph_->actor(actor).events;
  const EventIndex start = at_[actor];
  while (at_[actor] < events.size() && can_happen(actor, events[at_[actor]])) {
    const EventIndex index = at_[actor]++;
    const auto* post = std::get_if<Post>(&events[index].node->operation);
    if (post && post->taken && events[index].kind == EventKind::post)
      set_fired({actor, index}, events[index].partner, true);
  }
  return at_[actor] != start;
}

// The non-overtaking rule among what has been issued and posted.
bool PolicyReplay::allowed(std::uint32_t receiver, EventIndex post, EventRef send) const {
  const Graph::Actor& a = graph_->actor(receiver);
  const Pattern& pattern = graph_->pattern_of(receiver, post);
  const Send& message = graph_->send_of(send);
  if (gone(send) || !accepts(pattern, send.actor, message)) return false;
  for (const EventIndex other : a.inbox[send.actor]) {
    if (other >= send.event) break;
    if (!gone({send.actor, other}) && accepts(pattern, send.actor, graph_->send_of({send.actor, other}))) return false;
  }
  for (const EventIndex earlier : a.posts) {
    if (earlier >= post) break;
    if (waiting(receiver, earlier) && accepts(graph_->pattern_of(receiver, earlier), send.actor, message)) return false;
  }
  return true;
}

void PolicyReplay::set_fired(EventRef post, EventRef send, bool fired) {
  fired_[post.actor][post.event] = fired_[send.actor][send.event] = fired;
  if (fired)
    matches_.emplace_back(post, send);
  else
    matches_.pop_back();
}

bool PolicyReplay::fire(std::uint32_t receiver) {
  const Graph::Actor& a = graph_->actor(receiver);
  bool any = false;
  for (const EventIndex post : a.posts) {
    if (post >= at_[receiver]) break;
    const Event& event = a.events[post];
    if (fired_[receiver][post] || event.partner.event == no_event || !issued(event.partner)) continue;
    if (hides(receiver, post) || !allowed(receiver, post, event.partner)) continue;
    set_fired({receiver, post}, event.partner, true);
    any = true;
  }
  return any;
}

void PolicyReplay::settle() {
  for (bool moved = true; moved;) {
    moved = false;
    for (std::uint32_t a = 0; a < graph_->actor_count(); ++a) moved = advance(a) || moved;
    for (std::uint32_t a = 0; a < graph_->actor_count(); ++a) moved = fire(a) || moved;
  }
}

bool PolicyReplay::all_ended() const {
  for (std::uint32_t a = 0; a < graph_->actor_count(); ++a) {
    const Graph::Actor& actor = graph_->actor(a);
    if (at_[a] < actor.events.size()) return false;
    if (!std::holds_alternative<End>(actor.node->operation) && !std::holds_alternative<Fail>(actor.node->operation))
      return false;
  }
  return true;
}

// An actor that does not get the answer of the execution, could it get another one here?
bool PolicyReplay::could_answer_otherwise(std::uint32_t actor) const {
  const Graph::Actor& a = graph_->actor(actor);
  const bool at_end = at_[actor] == a.events.size();
  const Node& node = at_end ? *a.node : *a.events[at_[actor]].node;
  if (!at_end && a.events[at_[actor]].kind == EventKind::decide)  // said to starve
    return request_complete(actor, a.events[at_[actor]].request);
  if (const auto* post = std::get_if<Post>(&node.operation)) return request_complete(actor, post->request);
  if (const auto* probe = std::get_if<Probe>(&node.operation)) {
    if (!probe->blocking) return !at_end;
    for (std::uint32_t source = 0; source < graph_->actor_count(); ++source)
      for (const EventIndex send : a.inbox[source])
        if (visible(actor, probe->pattern, {source, send})) return true;
    return false;
  }
  const auto* observe = std::get_if<Observe>(&node.operation);
  if (!observe) return false;
  if (!observe->blocking) return !at_end;
  if (observe->quantifier == Quantifier::all)
    return std::all_of(observe->requests.begin(), observe->requests.end(),
                       [&](RequestId r) { return request_complete(actor, r); });
  return std::any_of(observe->requests.begin(), observe->requests.end(),
                     [&](RequestId r) { return request_complete(actor, r); });
}

void PolicyReplay::emit(const Visitor& visit, bool complete) {
  PolicyOutcome outcome;
  outcome.complete = complete;
  outcome.happened = at_;
  outcome.matches = matches_;
  visit(outcome);
}

// Settles, then follows every free match and those that hide messages; where nothing at all can happen is an outcome.
void PolicyReplay::explore_rest(const Visitor& visit) {
  const std::vector<EventIndex> at = at_;
  const std::size_t matched = matches_.size();
  settle();
  const auto restore = [&] {
    while (matches_.size() > matched) set_fired(matches_.back().first, matches_.back().second, false);
    at_ = at;
  };
  if (all_ended()) {
    emit(visit, true);
    return restore();
  }
  bool at_rest = true;
  for (std::uint32_t a = 0; a < graph_->actor_count(); ++a) {
    const Graph::Actor& actor = graph_->actor(a);
    for (const EventIndex post : actor.posts) {
      if (post >= at_[a]) break;
      if (!waiting(a, post)) continue;
      for (std::uint32_t source = 0; source < graph_->actor_count(); ++source)
        for (const EventIndex index : actor.inbox[source]) {
          const EventRef send{source, index};
          if (!issued(send)) break;
          if (!allowed(a, post, send)) continue;
          at_rest = false;
          const bool is_free =
              actor.events[post].decided_by == no_event && graph_->event(send).decided_by == no_event;
          if (!is_free && actor.events[post].partner != send) continue;
          set_fired({a, post}, send, true);
          explore_rest(visit);
          set_fired({a, post}, send, false);
        }
    }
  }
  for (std::uint32_t a = 0; at_rest && a < graph_->actor_count(); ++a) at_rest = !could_answer_otherwise(a);
  if (at_rest) emit(visit, false);
  restore();
}

}  // namespace rehearse::mc
