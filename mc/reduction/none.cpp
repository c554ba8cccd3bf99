// SPDX-License-Identifier: MIT
//
// Brute force over the operational semantics, written to be obviously right rather than fast.
#include "mc/reduction/none.hpp"

#include <algorithm>

#include "mc/graph/meeting.hpp"
#include "mc/reduction/questions.hpp"

namespace rehearse::mc {

None::None(History& history, std::uint32_t actors, const Policy& policy, std::uint32_t polls)
    : history_(history), graph_(actors), policy_(policy), polls_(polls), all_(actors, no_event) {
  for (std::uint32_t a = 0; a < actors; ++a) graph_.actor(a).node = history_.start({a});
}

bool None::run(const Visitor& visit) { return explore(visit); }

bool None::explore(const Visitor& visit) {
  if (!seen_.insert(state()).second) return true;
  bool moved = false;
  if (!match_something(visit, moved)) return false;
  for (std::uint32_t a = 0; a < graph_.actor_count(); ++a)
    if (!step(a, visit, moved)) return false;
  return moved || visit(graph_, outcome());
}

// No earlier message of the channel that the receive takes, no earlier receive that takes the message.
bool None::fits(std::uint32_t receiver, EventIndex post, EventRef send) const {
  const Graph::Actor& a = graph_.actor(receiver);
  const Pattern& pattern = graph_.pattern_of(receiver, post);
  const Send& message = graph_.send_of(send);
  if (gone(send) || gone({receiver, post}) || !accepts(pattern, send.actor, message)) return false;
  for (const EventIndex other : a.inbox[send.actor])
    if (other < send.event && !gone({send.actor, other}) &&
        accepts(pattern, send.actor, graph_.send_of({send.actor, other})))
      return false;
  for (const EventIndex other : a.posts)
    if (other < post && !gone({receiver, other}) && accepts(graph_.pattern_of(receiver, other), send.actor, message))
      return false;
  return true;
}

bool None::match_something(const Visitor& visit, bool& moved) {
  for (std::uint32_t d = 0; d < graph_.actor_count(); ++d)
    for (const EventIndex post : std::vector<EventIndex>(graph_.actor(d).posts))
      for (std::uint32_t s = 0; s < graph_.actor_count(); ++s)
        for (const EventIndex index : std::vector<EventIndex>(graph_.actor(d).inbox[s])) {
          const EventRef send{s, index}, receive{d, post};
          if (!fits(d, post, send)) continue;
          moved = true;
          graph_.event(receive).partner = send;
          graph_.event(send).partner = receive;
          const bool go_on = explore(visit);
          graph_.event(receive).partner = graph_.event(send).partner = {};
          if (!go_on) return false;
        }
  return true;
}

bool None::send_complete(EventRef send) const {
  const Send& message = graph_.send_of(send);
  if (matched(send) || message.mode == SendMode::buffered) return true;
  if (message.mode == SendMode::synchronous) return false;
  if (policy_.eager_bytes == Policy::infinite) return true;
  std::uint64_t bytes = 0;
  for (const EventIndex other : graph_.actor(message.destination.value).inbox[send.actor])
    if (other <= send.event && !matched({send.actor, other})) bytes += graph_.send_of({send.actor, other}).data.size();
  return policy_.eager_bytes > 0 && bytes <= policy_.eager_bytes;
}

bool None::complete(std::uint32_t actor, RequestId request) const {
  const EventRef started{actor, graph_.actor(actor).requests[request.value]};
  switch (graph_.event(started).kind) {
    case EventKind::send: return send_complete(started);
    case EventKind::arrive: return collective_complete(graph_, started, all_, policy_.synchronising);
    default: return matched(started);
  }
}

// A send, a posted receive, or an arrival becomes visible to the others.
bool None::start(std::uint32_t actor, const Visitor& visit) {
  Graph::Actor& a = graph_.actor(actor);
  const Node* node = a.node;
  bool blocking = true;
  if (const auto* send = std::get_if<Send>(&node->operation)) {
    graph_.append(actor, EventKind::send);
    graph_.register_send(actor, *send);
    blocking = send->blocking;
  } else if (const auto* post = std::get_if<Post>(&node->operation)) {
    graph_.append(actor, EventKind::post);
    graph_.register_post(actor);
    blocking = post->blocking;
  } else {
    const Collective& collective = std::get<Collective>(node->operation);
    graph_.append(actor, EventKind::arrive);
    graph_.register_arrival(actor, collective);
    blocking = collective.blocking;
  }
  a.issued = blocking;
  if (!blocking) a.node = history_.advance(node);
  const bool go_on = explore(visit);
  graph_.pop(actor);
  return go_on;
}

bool None::observe(std::uint32_t actor, Option option, const Visitor& visit) {
  Graph::Actor& a = graph_.actor(actor);
  graph_.append(actor, EventKind::observe);
  graph_.set_option(actor, std::move(option));
  const Node& node = *a.node;
  const Option& chosen = a.events.back().option;
  a.node = history_.advance(&node, reply_key(graph_, actor, node, chosen),
                            [&](Reply& reply) { make_reply(graph_, actor, node, chosen, reply); });
  a.issued = false;
  const bool go_on = explore(visit);
  graph_.pop(actor);
  return go_on;
}

bool None::may_refuse(std::uint32_t actor) const {
  const Graph::Actor& a = graph_.actor(actor);
  const View view{actor, static_cast<EventIndex>(a.events.size()), all_};
  return a.node->site == 0 || !Questions::is_refused_enough(graph_, view, *a.node, polls_);
}

bool None::answer_observe(std::uint32_t actor, const Observe& op, const Visitor& visit, bool& moved) {
  if (op.withdraws) {
    Option answer;
    answer.flag = complete(actor, op.requests.front());
    moved = true;
    return observe(actor, answer, visit);
  }
  const auto ready = [&](std::uint64_t bits) {
    for (std::size_t i = 0; i < op.requests.size(); ++i)
      if (bits >> i & 1 && !complete(actor, op.requests[i])) return false;
    return true;
  };
  const std::uint64_t everything = (std::uint64_t{1} << op.requests.size()) - 1;
  if (!op.blocking && may_refuse(actor)) {
    moved = true;
    Option no;
    no.flag = false;
    if (!observe(actor, no, visit)) return false;
  }
  for (std::uint64_t bits = 1; bits <= everything; ++bits) {
    const bool wanted = op.quantifier == Quantifier::some || (op.quantifier == Quantifier::all && bits == everything) ||
                        (op.quantifier == Quantifier::any && (bits & (bits - 1)) == 0);
    if (!wanted || !ready(bits)) continue;
    Option yes;
    for (std::uint32_t i = 0; op.quantifier != Quantifier::all && i < op.requests.size(); ++i)
      if (bits >> i & 1) yes.completed.push_back(i);
    moved = true;
    if (!observe(actor, yes, visit)) return false;
  }
  return true;
}

bool None::visible(std::uint32_t actor, const Pattern& pattern, EventRef send) const {
  const Graph::Actor& a = graph_.actor(actor);
  const Send& message = graph_.send_of(send);
  if (gone(send) || !accepts(pattern, send.actor, message)) return false;
  for (const EventIndex other : a.inbox[send.actor])
    if (other < send.event && !gone({send.actor, other}) &&
        accepts(pattern, send.actor, graph_.send_of({send.actor, other})))
      return false;
  return std::none_of(a.posts.begin(), a.posts.end(), [&](EventIndex post) {
    return !gone({actor, post}) && accepts(graph_.pattern_of(actor, post), send.actor, message);
  });
}

bool None::answer_probe(std::uint32_t actor, const Probe& op, const Visitor& visit, bool& moved) {
  const Graph::Actor& a = graph_.actor(actor);
  std::vector<EventRef> there;
  bool known = false;
  for (std::uint32_t s = 0; s < graph_.actor_count(); ++s)
    for (const EventIndex index : a.inbox[s]) {
      if (!visible(actor, op.pattern, {s, index})) continue;
      there.push_back({s, index});
      for (const Event& e : a.events) known = known || e.option.seen == EventRef{s, index};
    }
  for (const EventRef seen : there) {
    Option yes;
    yes.seen = seen;
    moved = true;
    if (!observe(actor, yes, visit)) return false;
  }
  if (op.blocking || known || !may_refuse(actor)) return true;
  moved = true;
  Option no;
  no.flag = false;
  return observe(actor, no, visit);
}

bool None::step(std::uint32_t actor, const Visitor& visit, bool& moved) {
  Graph::Actor& a = graph_.actor(actor);
  const Node* node = a.node;
  const Operation& operation = node->operation;
  if (const auto* op = std::get_if<Observe>(&operation)) return answer_observe(actor, *op, visit, moved);
  if (const auto* op = std::get_if<Probe>(&operation)) return answer_probe(actor, *op, visit, moved);
  if (const auto* op = std::get_if<Choose>(&operation)) {
    moved = true;
    for (std::uint32_t i = 0; i < op->count; ++i) {
      Option way;
      way.completed.push_back(i);
      if (!observe(actor, way, visit)) return false;
    }
    return true;
  }
  if (std::holds_alternative<End>(operation) || std::holds_alternative<Fail>(operation)) return true;
  if (!a.issued) {
    moved = true;
    return start(actor, visit);
  }
  if (!complete(actor, a.events.back().request)) return true;
  moved = true;
  if (!std::holds_alternative<Send>(operation)) return observe(actor, {}, visit);
  a.node = history_.advance(node);
  a.issued = false;
  const bool go_on = explore(visit);
  graph_.actor(actor).node = node;
  graph_.actor(actor).issued = true;
  return go_on;
}

PolicyOutcome None::outcome() const {
  PolicyOutcome result;
  result.complete = true;
  for (std::uint32_t a = 0; a < graph_.actor_count(); ++a) {
    const Graph::Actor& actor = graph_.actor(a);
    const Operation& operation = actor.node->operation;
    const bool sending = actor.issued && std::holds_alternative<Send>(operation);
    result.happened.push_back(static_cast<EventIndex>(actor.events.size() - sending));
    result.complete = result.complete && (std::holds_alternative<End>(operation) ||
                                          std::holds_alternative<Fail>(operation));
    for (const EventIndex started : actor.requests)
      if (actor.events[started].kind == EventKind::post && matched({a, started}))
        result.matches.emplace_back(EventRef{a, started}, actor.events[started].partner);
  }
  return result;
}

Hash128 None::state() const {
  const PolicyOutcome now = outcome();
  const Hash128 observed = class_of(graph_, now);
  std::vector<std::uint64_t> words{observed.low, observed.high};
  for (std::uint32_t a = 0; a < graph_.actor_count(); ++a)
    words.insert(words.end(), {reinterpret_cast<std::uint64_t>(graph_.actor(a).node), graph_.actor(a).issued,
                               graph_.actor(a).events.size()});
  for (const auto& [receive, send] : now.matches)
    words.insert(words.end(), {receive.actor, graph_.event(receive).request.value, send.actor,
                               graph_.event(send).request.value});
  return hash_bytes(words.data(), words.size() * sizeof words[0]);
}

}  // namespace rehearse::mc
