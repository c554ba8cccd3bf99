// SPDX-License-Identifier: MIT
//
// The conditions and effects of each kind of move.
#include "mc/reduction/moves.hpp"

#include <algorithm>
#include <boost/container/small_vector.hpp>

#include "mc/graph/collective_instance.hpp"
#include "mc/reduction/questions.hpp"
#include "simcore/birth.hpp"

namespace rehearse::mc::reduction {

using graph::accepts;
using graph::EventIndex;
using graph::EventKind;
using graph::Graph;
using graph::no_event;
using graph::Option;

Moves::Moves(history::History& history, std::uint32_t actors, const Policy& policy, std::uint32_t polls)
    : history_(history), graph_(actors), policy_(policy), polls_(polls), all_(actors, no_event) {
  for (std::uint32_t a = 0; a < actors; ++a) graph_.stand_at(a, history_.start({a}));
}

void Moves::list(std::vector<Move>& moves) const {
  for (std::uint32_t a = 0; a < graph_.actor_count(); ++a)
    for (const EventIndex post : graph_.actor(a).open_posts) list_matches(a, post, moves);
  for (std::uint32_t a = 0; a < graph_.actor_count(); ++a) list_of_actor(a, moves);
}

// The non-overtaking rule: no earlier message of the channel fits the receive, no earlier receive fits the message.
// Events that are gone do not count: the open lists are those without them.
void Moves::list_matches(std::uint32_t receiver, EventIndex post, std::vector<Move>& moves) const {
  for (std::uint32_t s = 0; s < graph_.actor_count(); ++s) {
    const EventRef send = first_accepted(receiver, graph_.pattern_of(receiver, post), s);
    if (send.event != no_event && first_accepting(receiver, send) == post)
      moves.push_back({Move::Kind::match, receiver, post, send, {}});
  }
}

EventRef Moves::first_accepted(std::uint32_t receiver, const Pattern& pattern, std::uint32_t sender) const {
  for (const EventIndex send : graph_.actor(receiver).open_inbox[sender])
    if (accepts(pattern, sender, graph_.send_of({sender, send}))) return {sender, send};
  return {};
}

EventIndex Moves::first_accepting(std::uint32_t receiver, EventRef send) const {
  const Send& message = graph_.send_of(send);
  for (const EventIndex post : graph_.actor(receiver).open_posts)
    if (accepts(graph_.pattern_of(receiver, post), send.actor, message)) return post;
  return no_event;
}

bool Moves::send_complete(EventRef send) const {
  const Send& message = graph_.send_of(send);
  if (matched(send) || message.mode == SendMode::buffered) return true;
  if (message.mode == SendMode::synchronous) return false;
  if (policy_.eager_bytes == Policy::infinite) return true;
  std::uint64_t bytes = 0;
  for (const EventIndex other : graph_.actor(message.destination.value).inbox[send.actor])
    if (other <= send.event && !matched({send.actor, other})) bytes += graph_.send_of({send.actor, other}).data.size();
  return policy_.eager_bytes > 0 && bytes <= policy_.eager_bytes;
}

bool Moves::complete(std::uint32_t actor, RequestId request) const {
  const EventRef started{actor, graph_.actor(actor).requests[request.value]};
  switch (graph_.event(started).kind) {
    case EventKind::send: return send_complete(started);
    case EventKind::arrive: return graph::collective_complete(graph_, started, all_, policy_.synchronising);
    default: return matched(started);
  }
}

// A send, a posted receive, or an arrival becomes visible to other actors.
void Moves::start(std::uint32_t actor) {
  const history::Node* node = graph_.actor(actor).node;
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
  graph_.stand_at(actor, blocking ? node : history_.advance(node), blocking);
}

void Moves::answer(std::uint32_t actor, Option option) {
  const Graph::Actor& a = graph_.actor(actor);
  graph_.append(actor, EventKind::observe);
  graph_.set_option(actor, std::move(option));
  const history::Node& node = *a.node;
  const Option& chosen = a.events.back().option;
  graph_.stand_at(actor, history_.advance(&node, reply_key(graph_, actor, node, chosen), [&](history::Reply& reply) {
    make_reply(graph_, actor, node, chosen, reply);
  }));
}

void Moves::make(const Move& move) {
  made_.push_back({move.kind, move.actor, move.post, move.send, graph_.actor(move.actor).node});
  switch (move.kind) {
    case Move::Kind::match: return graph_.match({move.actor, move.post}, move.send);
    case Move::Kind::start: return start(move.actor);
    case Move::Kind::complete: return graph_.stand_at(move.actor, history_.advance(graph_.actor(move.actor).node));
    case Move::Kind::answer: return answer(move.actor, move.option);
  }
}

void Moves::take_back() {
  const Made made = made_.back();
  made_.pop_back();
  switch (made.kind) {
    case Move::Kind::match: return graph_.unmatch({made.actor, made.post}, made.send);
    case Move::Kind::complete: return graph_.stand_at(made.actor, made.node, true);
    case Move::Kind::start:
    case Move::Kind::answer: return graph_.pop(made.actor);
  }
}

bool Moves::may_refuse(std::uint32_t actor) const {
  const Graph::Actor& a = graph_.actor(actor);
  const View view{actor, static_cast<EventIndex>(a.events.size()), all_};
  if (a.node->site == 0 || !Questions::is_refused_enough(graph_, view, *a.node, polls_)) return true;
  left_out_refusals_ = left_out_refusals_ || !history_.is_going_round(a.node);
  return false;
}

bool Moves::polls_in_vain() const {
  for (std::uint32_t a = 0; a < graph_.actor_count(); ++a) {
    const auto* observe = std::get_if<Observe>(&graph_.actor(a).node->operation);
    const auto* probe = std::get_if<Probe>(&graph_.actor(a).node->operation);
    if ((observe != nullptr && !observe->blocking) || (probe != nullptr && !probe->blocking)) return true;
  }
  return false;
}

void Moves::list_observe(std::uint32_t actor, const Observe& op, std::vector<Move>& moves) const {
  const auto add = [&](Option option) {
    moves.push_back({Move::Kind::answer, actor, no_event, {}, std::move(option)});
  };
  if (op.withdraws) {
    Option answer;
    answer.flag = complete(actor, op.requests.front());
    return add(answer);
  }
  if (!op.blocking && may_refuse(actor)) {
    Option no;
    no.flag = false;
    add(no);
  }
  boost::container::small_vector<std::uint32_t, 8> ready;
  for (std::uint32_t i = 0; i < op.requests.size(); ++i)
    if (complete(actor, op.requests[i])) ready.push_back(i);
  switch (op.quantifier) {
    case Quantifier::all:
      if (ready.size() == op.requests.size()) add({});
      return;
    case Quantifier::any:
      for (const std::uint32_t i : ready) {
        Option one;
        one.completed.push_back(i);
        add(one);
      }
      return;
    case Quantifier::some:
      for (std::uint64_t bits = 1; bits < std::uint64_t{1} << ready.size(); ++bits) {
        Option some;
        for (std::size_t i = 0; i < ready.size(); ++i)
          if (bits >> i & 1) some.completed.push_back(ready[i]);
        add(some);
      }
  }
}

void Moves::list_probe(std::uint32_t actor, const Probe& op, std::vector<Move>& moves) const {
  const Graph::Actor& a = graph_.actor(actor);
  bool known = false;
  for (std::uint32_t s = 0; s < graph_.actor_count(); ++s) {
    const EventRef send = first_accepted(actor, op.pattern, s);
    if (send.event == no_event || first_accepting(actor, send) != no_event) continue;
    Move& yes = moves.emplace_back(Move{Move::Kind::answer, actor, no_event, {}, {}});
    yes.option.probed = send;
    for (const graph::Event& e : a.events) known = known || e.option.probed == yes.option.probed;
  }
  if (op.blocking || known || !may_refuse(actor)) return;
  moves.emplace_back(Move{Move::Kind::answer, actor, no_event, {}, {}}).option.flag = false;
}

void Moves::list_of_actor(std::uint32_t actor, std::vector<Move>& moves) const {
  const Graph::Actor& a = graph_.actor(actor);
  const Operation& operation = a.node->operation;
  if (const auto* op = std::get_if<Observe>(&operation)) return list_observe(actor, *op, moves);
  if (const auto* op = std::get_if<Probe>(&operation)) return list_probe(actor, *op, moves);
  if (const auto* op = std::get_if<Choose>(&operation)) {
    for (std::uint32_t i = 0; i < op->count; ++i)
      moves.emplace_back(Move{Move::Kind::answer, actor, no_event, {}, {}}).option.completed.push_back(i);
    return;
  }
  if (std::holds_alternative<End>(operation) || std::holds_alternative<Fail>(operation)) return;
  if (!a.issued) {
    moves.push_back({Move::Kind::start, actor, no_event, {}, {}});
  } else if (complete(actor, a.events.back().request)) {
    const bool sends = std::holds_alternative<Send>(operation);
    moves.push_back({sends ? Move::Kind::complete : Move::Kind::answer, actor, no_event, {}, {}});
  }
}

buffering::PolicyOutcome Moves::outcome() const {
  buffering::PolicyOutcome result;
  result.complete = true;
  for (std::uint32_t a = 0; a < graph_.actor_count(); ++a) {
    const Graph::Actor& actor = graph_.actor(a);
    const Operation& operation = actor.node->operation;
    const bool sending = actor.issued && std::holds_alternative<Send>(operation);
    result.happened.push_back(static_cast<EventIndex>(actor.events.size() - sending));
    result.complete = result.complete && (std::holds_alternative<End>(operation) ||
                                          std::holds_alternative<Fail>(operation) || awaits_birth(operation));
    for (const EventIndex started : actor.requests)
      if (actor.events[started].kind == EventKind::post && matched({a, started}))
        result.matches.emplace_back(EventRef{a, started}, actor.events[started].partner);
  }
  return result;
}

history::Hash128 Moves::state() const {
  words_.clear();
  const auto add = [this](auto... words) { (words_.push_back(static_cast<std::uint64_t>(words)), ...); };
  for (std::uint32_t a = 0; a < graph_.actor_count(); ++a) {
    const Graph::Actor& actor = graph_.actor(a);
    const bool sending = actor.issued && std::holds_alternative<Send>(actor.node->operation);
    const std::size_t happened = actor.events.size() - sending;
    const history::Hash128 observed = happened == 0 ? history::Hash128{} : actor.events[happened - 1].history;
    add(observed.low, observed.high, reinterpret_cast<std::uint64_t>(actor.node), actor.issued, actor.events.size());
  }
  for (std::uint32_t a = 0; a < graph_.actor_count(); ++a) {
    const Graph::Actor& actor = graph_.actor(a);
    for (std::size_t request = 0; request < actor.requests.size(); ++request) {
      const graph::Event& started = actor.events[actor.requests[request]];
      if (started.kind != EventKind::post || started.partner.event == no_event) continue;
      add(a, request, started.partner.actor, graph_.event(started.partner).request.value);
    }
  }
  return history::hash_bytes(words_.data(), words_.size() * sizeof words_[0]);
}

}  // namespace rehearse::mc::reduction
