// SPDX-License-Identifier: MIT
//
// Greedy replay of an execution graph under a buffering and collective policy.
#include "mc/buffering/policy_replay.hpp"

#include <algorithm>

#include "mc/graph/collective_instance.hpp"
#include "mc/reduction/questions.hpp"
#include "simcore/birth.hpp"

namespace rehearse::mc::buffering {

using graph::accepts;
using graph::Event;
using graph::EventKind;
using graph::Graph;
using graph::no_event;

history::Hash128 class_of(const Graph& graph, const PolicyOutcome& outcome) {
  boost::container::small_vector<history::Hash128, 16> histories;
  for (std::uint32_t a = 0; a < graph.actor_count(); ++a)
    histories.push_back(outcome.happened[a] == 0 ? history::Hash128{}
                                                 : graph.actor(a).events[outcome.happened[a] - 1].history);
  return history::hash_bytes(histories.data(), histories.size() * sizeof histories[0]);
}

bool has_partial_collectives(const Graph& graph) { return graph.tally().partial_arrivals > 0; }

bool restricts(const Graph& graph, const Policy& policy) {
  const Graph::Tally& tally = graph.tally();
  return tally.starved > 0 || tally.synchronous_sends > 0 || (policy.synchronising && tally.partial_arrivals > 0) ||
         (policy.eager_bytes != Policy::infinite && tally.standard_sends > 0);
}

bool PolicyReplay::run(const Graph& graph, const Policy& policy, const Visitor& visit) {
  graph_ = &graph;
  policy_ = policy;
  stopped_ = false;
  matches_.clear();
  buffered_.clear();
  held_.clear();
  choices_ = 0;
  start();
  find_denials();
  explore_rest(visit);
  return !stopped_;
}

void PolicyReplay::start() {
  const std::uint32_t actors = graph_->actor_count();
  state_.at.assign(actors, 0);
  state_.receives.resize(actors);
  state_.messages.resize(actors);
  for (std::uint32_t a = 0; a < actors; ++a) {
    state_.receives[a].clear();
    state_.messages[a].clear();
  }
  state_.unmatched_bytes.assign(std::size_t{actors} * actors, 0);
  fired_.resize(actors);
  for (std::uint32_t a = 0; a < actors; ++a) fired_[a].assign(graph_->actor(a).events.size(), 0);
  may_move_ = may_move_later_ = reduction::ActorSet(actors);
  for (std::uint32_t a = 0; a < actors; ++a) reach(a);
}

bool PolicyReplay::goes_on() {
  constexpr std::uint32_t steps_between_questions = 1024;
  if (!stopped_ && ++steps_ % steps_between_questions == 0) stopped_ = !goes_on_();
  return !stopped_;
}

// Collects the refused probes that a known message could contradict: an earlier probe reported the message, and the
// execution settles it only after the refused probe. If the replay makes the message visible, the refusal is wrong.
void PolicyReplay::find_denials() {
  known_.resize(graph_->actor_count());
  denials_.resize(graph_->actor_count());
  for (std::uint32_t a = 0; a < graph_->actor_count(); ++a) {
    known_[a].clear();
    denials_[a].clear();
    const std::vector<Event>& events = graph_->actor(a).events;
    for (EventIndex i = 0; i < events.size(); ++i) {
      if (events[i].option.probed.event != no_event) known_[a].push_back({i, events[i].option.probed});
      if (known_[a].empty() || events[i].kind != EventKind::observe || events[i].option.flag) continue;
      if (!std::holds_alternative<Probe>(events[i].node->operation)) continue;
      const auto in_doubt = [&](const Known& known) { return is_in_doubt(a, i, known); };
      if (std::any_of(known_[a].begin(), known_[a].end(), in_doubt)) denials_[a].push_back(i);
    }
  }
}

// Whether the message was reported before this refused probe, matches it, and is settled after it or never.
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

// Whether the match of this receive must wait: in the execution it comes after a probe that the replay has yet to
// refuse, and the receive or its message can hide a known message from that probe.
bool PolicyReplay::hides(std::uint32_t receiver, EventIndex post) const {
  const std::vector<EventIndex>& denials = denials_[receiver];
  if (denials.empty()) return false;
  const Event& event = graph_->actor(receiver).events[post];
  const EventRef message = event.partner;
  for (auto probe = std::lower_bound(denials.begin(), denials.end(), std::max(state_.at[receiver], post));
       probe != denials.end() && *probe < event.decided_by; ++probe)
    for (const Known& known : known_[receiver]) {
      if (!is_in_doubt(receiver, *probe, known)) continue;
      if (accepts(graph_->pattern_of(receiver, post), known.send.actor, graph_->send_of(known.send))) return true;
      if (message.actor == known.send.actor && message.event < known.send.event) return true;
    }
  return false;
}

bool PolicyReplay::issued(EventRef send) const { return send.event <= state_.at[send.actor]; }

// A message is complete for its sender: it was matched, or the policy lets it be buffered.
bool PolicyReplay::send_complete(EventRef send) const {
  if (fired_[send.actor][send.event]) return true;
  const Send& message = graph_->send_of(send);
  if (message.mode == SendMode::buffered) return true;
  if (message.mode == SendMode::synchronous) return false;
  if (policy_.eager_bytes == Policy::infinite) return true;
  if (policy_.is_mixed()) return buffered_.contains(send);
  if (buffered_sites_ != nullptr && buffered_sites_->contains(graph_->event(send).node->site)) return true;
  if (policy_.eager_bytes == 0) return false;
  const std::uint32_t receiver = message.destination.value;
  if (state_.unmatched_bytes[std::size_t{send.actor} * graph_->actor_count() + receiver] <= policy_.eager_bytes)
    return true;
  std::uint64_t buffered = 0;
  for (const EventRef other : state_.messages[receiver])
    if (other.actor == send.actor && other.event <= send.event && !fired_[other.actor][other.event])
      buffered += graph_->send_of(other).data.size();
  return buffered <= policy_.eager_bytes;
}

bool PolicyReplay::collective_done(EventRef arrival) const {
  return graph::collective_complete(*graph_, arrival, state_.at, policy_.synchronising);
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
  return settling.option.probed == send && event.decided_by < state_.at[event.partner.actor] &&
         std::holds_alternative<Probe>(settling.node->operation);
}

// A posted receive that has no message and was not withdrawn.
bool PolicyReplay::waiting(std::uint32_t receiver, EventIndex post) const {
  if (fired_[receiver][post]) return false;
  const Event& event = graph_->actor(receiver).events[post];
  return event.decided_by == no_event || event.partner.event != no_event || event.decided_by >= state_.at[receiver];
}

// Can a probe see this message now?
bool PolicyReplay::visible(std::uint32_t actor, const Pattern& pattern, EventRef send) const {
  if (!issued(send) || is_overtaken(actor, pattern, send)) return false;
  const Send& message = graph_->send_of(send);
  return std::none_of(state_.receives[actor].begin(), state_.receives[actor].end(), [&](EventIndex post) {
    return waiting(actor, post) && accepts(graph_->pattern_of(actor, post), send.actor, message);
  });
}

bool PolicyReplay::observed(std::uint32_t actor, const Event& event) const {
  const Operation& operation = event.node->operation;
  if (const auto* post = std::get_if<Post>(&operation)) return request_complete(actor, post->request);
  if (const auto* collective = std::get_if<Collective>(&operation)) return request_complete(actor, collective->request);
  if (const auto* probe = std::get_if<Probe>(&operation)) return visible(actor, probe->pattern, event.option.probed);
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
      return !send.blocking || send_complete({actor, state_.at[actor]});
    }
    case EventKind::decide: return !event.option.starved;
    case EventKind::observe:
      if (event.option.starved) return false;
      return event.option.flag ? observed(actor, event) : deniable(actor, state_.at[actor]);
  }
  return false;
}

void PolicyReplay::advance(std::uint32_t actor) {
  const std::vector<Event>& events = graph_->actor(actor).events;
  while (state_.at[actor] < events.size() && can_happen(actor, events[state_.at[actor]])) {
    pass(actor);
    if (!goes_on()) return;
  }
}

// The actor's next event happens. Marks the actors that may wait for it.
void PolicyReplay::pass(std::uint32_t actor) {
  const EventIndex index = state_.at[actor]++;
  const Event& event = graph_->actor(actor).events[index];
  if (event.kind == EventKind::post) {
    const Post& post = std::get<Post>(event.node->operation);
    if (post.taken) match({actor, index}, event.partner);
    else state_.receives[actor].add(index);
  } else if (event.kind == EventKind::arrive) {
    for (const ActorId member : std::get<Collective>(event.node->operation).members) may_move_later_.add(member.value);
  } else if (event.kind == EventKind::observe) {
    forget_settled(actor);  // it may have withdrawn a receive, or a probe taken a message
  }
  reach(actor);
}

// A message is issued when its sender reaches the send, even if the send then blocks.
void PolicyReplay::reach(std::uint32_t actor) {
  const EventIndex index = state_.at[actor];
  const std::vector<Event>& events = graph_->actor(actor).events;
  if (index >= events.size() || events[index].kind != EventKind::send) return;
  const Send& send = std::get<Send>(events[index].node->operation);
  const std::uint32_t receiver = send.destination.value;
  state_.messages[receiver].add({actor, index});
  state_.unmatched_bytes[std::size_t{actor} * graph_->actor_count() + receiver] += send.data.size();
  may_move_.add(receiver);
}

// Whether the pattern cannot find this message: it is gone, does not match, or an earlier one of its channel matches.
bool PolicyReplay::is_overtaken(std::uint32_t receiver, const Pattern& pattern, EventRef send) const {
  if (gone(send) || !accepts(pattern, send.actor, graph_->send_of(send))) return true;
  for (const EventRef other : state_.messages[receiver]) {
    if (other == send) break;
    if (other.actor == send.actor && !gone(other) && accepts(pattern, other.actor, graph_->send_of(other))) return true;
  }
  return false;
}

// The non-overtaking rule, for the messages issued and the receives posted so far.
bool PolicyReplay::allowed(std::uint32_t receiver, EventIndex post, EventRef send) const {
  if (is_overtaken(receiver, graph_->pattern_of(receiver, post), send)) return false;
  const Send& message = graph_->send_of(send);
  for (const EventIndex earlier : state_.receives[receiver]) {
    if (earlier >= post) break;
    if (waiting(receiver, earlier) && accepts(graph_->pattern_of(receiver, earlier), send.actor, message)) return false;
  }
  return true;
}

void PolicyReplay::mark(EventRef post, EventRef send, bool fired) {
  fired_[post.actor][post.event] = fired_[send.actor][send.event] = fired;
  if (fired) matches_.emplace_back(post, send);
  else matches_.pop_back();
}

void PolicyReplay::match(EventRef post, EventRef send) {
  mark(post, send, true);
  state_.unmatched_bytes[std::size_t{send.actor} * graph_->actor_count() + post.actor] -=
      graph_->send_of(send).data.size();
  may_move_.add(send.actor);
  may_move_.add(post.actor);
}

void PolicyReplay::forget_settled(std::uint32_t receiver) {
  state_.receives[receiver].note_settled([&](EventIndex post) { return !waiting(receiver, post); });
  state_.messages[receiver].note_settled([&](EventRef send) { return fired_[send.actor][send.event] != 0; });
}

void PolicyReplay::fire(std::uint32_t receiver) {
  const std::vector<Event>& events = graph_->actor(receiver).events;
  OpenList<EventIndex>& receives = state_.receives[receiver];
  std::size_t fired = 0;
  for (auto post = receives.begin(); post != receives.end(); ++post) {
    const EventRef message = events[*post].partner;
    if (!waiting(receiver, *post) || message.event == no_event || !issued(message)) continue;
    if (!goes_on()) break;
    if (hides(receiver, *post) || !allowed(receiver, *post, message)) continue;
    match({receiver, *post}, message);
    ++fired;
    receives.skip_settled([&](EventIndex p) { return !waiting(receiver, p); });
    state_.messages[receiver].skip_settled([&](EventRef send) { return fired_[send.actor][send.event] != 0; });
  }
  for (; fired != 0; --fired) forget_settled(receiver);
}

void PolicyReplay::settle() {
  while (goes_on()) {
    if (may_move_.lowest() == reduction::ActorSet::nobody) std::swap(may_move_, may_move_later_);
    const std::uint32_t actor = may_move_.lowest();
    if (actor == reduction::ActorSet::nobody) return;
    may_move_.remove(actor);
    advance(actor);
    fire(actor);
  }
}

bool PolicyReplay::all_ended() const {
  for (std::uint32_t a = 0; a < graph_->actor_count(); ++a) {
    const Graph::Actor& actor = graph_->actor(a);
    if (state_.at[a] < actor.events.size()) return false;
    const Operation& last = actor.node->operation;
    if (!std::holds_alternative<End>(last) && !std::holds_alternative<Fail>(last) && !awaits_birth(last)) return false;
  }
  return true;
}

// Whether an actor that cannot get the answer of the execution could get another answer here.
bool PolicyReplay::could_answer_otherwise(std::uint32_t actor) const {
  const Graph::Actor& a = graph_->actor(actor);
  const bool at_end = state_.at[actor] == a.events.size();
  const history::Node& node = at_end ? *a.node : *a.events[state_.at[actor]].node;
  if (!at_end && a.events[state_.at[actor]].kind == EventKind::decide)  // starved in the execution
    return request_complete(actor, a.events[state_.at[actor]].request);
  if (const auto* post = std::get_if<Post>(&node.operation)) return request_complete(actor, post->request);
  if (const auto* probe = std::get_if<Probe>(&node.operation)) {
    if (!probe->blocking) return !at_end;
    return std::any_of(state_.messages[actor].begin(), state_.messages[actor].end(),
                       [&](EventRef send) { return visible(actor, probe->pattern, send); });
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
  outcome.happened = state_.at;
  outcome.matches = matches_;
  if (policy_.is_mixed()) outcome.waiting = waiting_sends();
  visit(outcome);
}

// Makes free matches without an alternative: a receive from one source gets the first message of its channel that it
// can have, and no other receive gets that one before. So each outcome has these matches, and their order among the
// others does not matter. Not where a message in the channel behind could contradict a refused probe, nor under
// Policy::mixed, where a match may end a choice. Returns whether there were any.
bool PolicyReplay::match_forced() {
  if (policy_.is_mixed()) return false;
  bool any = false;
  for (std::uint32_t receiver = 0; receiver < graph_->actor_count(); ++receiver) {
    if (!denials_[receiver].empty()) continue;
    std::size_t matched = 0;
    for (const EventIndex post : state_.receives[receiver]) {
      const std::optional<EventRef> send = forced_message(receiver, post);
      if (!send) continue;
      match({receiver, post}, *send);
      ++matched;
    }
    any = any || matched > 0;
    for (; matched != 0; --matched) forget_settled(receiver);
  }
  return any;
}

// The message that this receive from one source gets in every continuation; nothing: it is decided, or open.
std::optional<EventRef> PolicyReplay::forced_message(std::uint32_t receiver, EventIndex post) const {
  if (graph_->actor(receiver).events[post].decided_by != no_event || !waiting(receiver, post)) return std::nullopt;
  const std::optional<ActorId> source = graph_->pattern_of(receiver, post).source;
  if (!source) return std::nullopt;
  for (const EventRef send : state_.messages[receiver])
    if (send.actor == source->value && graph_->event(send).decided_by == no_event && allowed(receiver, post, send))
      return send;
  return std::nullopt;
}

// Follows every match of the actor's receives that is free or was delayed by hides(). False: there is none.
bool PolicyReplay::follow_matches_of(std::uint32_t receiver, const Visitor& visit) {
  const State before = state_;
  const std::size_t matched = matches_.size();
  bool any = false;
  for (const EventIndex post : before.receives[receiver]) {
    if (!waiting(receiver, post)) continue;
    const Event& event = graph_->actor(receiver).events[post];
    for (const EventRef send : before.messages[receiver]) {
      if (!goes_on()) return true;
      if (!allowed(receiver, post, send)) continue;
      any = true;
      const bool is_free = event.decided_by == no_event && graph_->event(send).decided_by == no_event;
      if (!is_free && event.partner != send) continue;
      match({receiver, post}, send);
      explore_rest(visit);
      while (matches_.size() > matched) mark(matches_.back().first, matches_.back().second, false);
      state_ = before;
    }
  }
  return any;
}

// Makes all steps that are possible, then follows each choice that is left. The caller restores the state and matches.
void PolicyReplay::explore_rest(const Visitor& visit) {
  std::vector<EventRef> buffered;  // here
  for (;;) {
    settle();
    if (stopped_ || is_cut_off() || holds_matched_send()) break;
    if (match_forced()) continue;
    const std::optional<Stop> stop = policy_.is_mixed() ? next_stop() : std::nullopt;
    if (!stop) {
      follow_rest(visit);
      break;
    }
    if (stop->may_stay) hold(*stop, visit);
    for (const EventRef send : stop->sends) {
      buffered_.insert(send);
      buffered.push_back(send);
      may_move_.add(send.actor);
    }
  }
  for (const EventRef send : buffered) buffered_.erase(send);
}

// Follows the remaining matches. A state in which nothing can happen is an outcome.
void PolicyReplay::follow_rest(const Visitor& visit) {
  if (all_ended()) return emit(visit, true);
  bool at_rest = true;
  for (std::uint32_t a = 0; a < graph_->actor_count(); ++a) at_rest = !follow_matches_of(a, visit) && at_rest;
  for (std::uint32_t a = 0; at_rest && a < graph_->actor_count(); ++a) at_rest = !could_answer_otherwise(a);
  if (at_rest && !stopped_) emit(visit, false);
}

}  // namespace rehearse::mc::buffering
