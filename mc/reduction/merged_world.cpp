// SPDX-License-Identifier: MIT
//
// Moves that are made at once, and choices.
#include "mc/reduction/merged_world.hpp"

#include <algorithm>
#include <bit>

#include "mc/graph/collective_instance.hpp"
#include "mc/history/unmergeable.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::mc::reduction {

using graph::Event;
using graph::EventIndex;
using graph::EventKind;
using graph::Graph;
using graph::no_event;
using history::Node;

namespace {

constexpr std::size_t most_ready_requests = 12;  // of a call that completes some of them

MergedWorld::Actors bit_of(std::uint32_t actor) { return MergedWorld::Actors{1} << actor; }

bool is_start(const Operation& operation) {
  return std::holds_alternative<Send>(operation) || std::holds_alternative<Post>(operation) ||
         std::holds_alternative<Collective>(operation);
}

// Whether the actor has no choice: it waits for all requests.
bool is_for_all(const Observe& observe) {
  return observe.quantifier == Quantifier::all || observe.requests.size() == 1;
}

}  // namespace

MergedWorld::MergedWorld(history::History& history, history::LocalGraph& graph, std::uint32_t actors,
                         const Policy& policy)
    : moves_(history, actors, policy, 1), local_(graph), policy_(policy), requests_(actors) {
  REHEARSE_ASSERT(actors <= history::LocalGraph::actors_max, "actors fit into a set");
  mark_all();
}

void MergedWorld::mark_all() {
  for (std::uint32_t a = 0; a < graph().actor_count(); ++a) mark(a);
}

void MergedWorld::require_support(const Node& node) const {
  if (std::string feature = history::unmergeable_in(node); !feature.empty()) throw NotMergeable{std::move(feature)};
}

bool MergedWorld::is_over(std::uint32_t actor) const {
  const Operation& operation = node(actor).operation;
  return std::holds_alternative<End>(operation) || std::holds_alternative<Fail>(operation);
}

EventKind MergedWorld::kind_of(std::uint32_t actor, RequestId request) const {
  const Graph::Actor& a = graph().actor(actor);
  return a.events[a.requests[request.value]].kind;
}

void MergedWorld::settle() {
  while (dirty_ != 0) {
    const auto actor = static_cast<std::uint32_t>(std::countr_zero(dirty_));
    if (!settle(actor)) dirty_ &= ~bit_of(actor);
  }
}

// Makes one move of the actor, if it has one that is no choice.
bool MergedWorld::settle(std::uint32_t actor) {
  const Graph::Actor& a = graph().actor(actor);
  require_support(*a.node);
  const auto make = [&](Move::Kind kind, graph::Option option = {}) {
    apply({kind, actor, no_event, {}, std::move(option)});
    return true;
  };
  const Operation& operation = a.node->operation;
  if (is_start(operation)) {
    if (!a.issued) return make(Move::Kind::start);
    if (is_complete(actor, a.events.back().request))
      return make(std::holds_alternative<Send>(operation) ? Move::Kind::complete : Move::Kind::answer);
  } else if (const auto* observe = std::get_if<Observe>(&operation); observe != nullptr && is_for_all(*observe)) {
    const auto complete = [&](RequestId request) { return is_complete(actor, request); };
    if (std::ranges::all_of(observe->requests, complete)) {
      graph::Option option;
      if (observe->quantifier != Quantifier::all) option.completed.push_back(0);
      return make(Move::Kind::answer, std::move(option));
    }
  }
  return settle_matches(actor);
}

// A receive that names its source can only take the next message from there.
bool MergedWorld::settle_matches(std::uint32_t actor) {
  for (const EventIndex post : graph().actor(actor).open_posts) {
    if (!graph().pattern_of(actor, post).source) continue;
    graph::EventRef found;
    for_each_match(actor, post, [&](graph::EventRef send) { found = send; });
    if (found.event == no_event) continue;
    apply({Move::Kind::match, actor, post, found, {}});
    return true;
  }
  return false;
}

// Calls visit(send) for each message that the receive can take: the non-overtaking rule.
template <class Visit>
void MergedWorld::for_each_match(std::uint32_t actor, EventIndex post, Visit&& visit) const {
  const Graph::Actor& a = graph().actor(actor);
  const Pattern& pattern = graph().pattern_of(actor, post);
  const std::uint32_t first = pattern.source ? pattern.source->value : 0;
  const std::uint32_t end = pattern.source ? first + 1 : graph().actor_count();
  for (std::uint32_t source = first; source < end; ++source)
    for (const EventIndex event : a.open_inbox[source]) {
      const Send& message = graph().send_of({source, event});
      if (!graph::accepts(pattern, source, message)) continue;
      const auto takes_before = [&](EventIndex other) {
        return other < post && graph::accepts(graph().pattern_of(actor, other), source, message);
      };
      if (std::none_of(a.open_posts.begin(), a.open_posts.end(), takes_before)) visit(graph::EventRef{source, event});
      break;  // it comes before all others of the channel
    }
}

void MergedWorld::list_choices(std::uint32_t actor, std::vector<Move>& moves) const {
  const Graph::Actor& a = graph().actor(actor);
  for (const EventIndex post : a.open_posts)
    for_each_match(actor, post, [&](graph::EventRef send) {
      moves.push_back({Move::Kind::match, actor, post, send, {}});
    });
  const auto* observe = std::get_if<Observe>(&a.node->operation);
  if (observe == nullptr || is_for_all(*observe)) return;
  std::vector<std::uint32_t> ready;
  for (std::uint32_t i = 0; i < observe->requests.size(); ++i)
    if (is_complete(actor, observe->requests[i])) ready.push_back(i);
  const auto add = [&](const auto& completed) {
    graph::Option option;
    option.completed.assign(completed.begin(), completed.end());
    moves.push_back({Move::Kind::answer, actor, no_event, {}, std::move(option)});
  };
  if (observe->quantifier == Quantifier::any) {
    for (const std::uint32_t i : ready) add(std::vector<std::uint32_t>{i});
    return;
  }
  if (ready.size() > most_ready_requests) throw NotMergeable{"waits for some of more than 12 complete requests"};
  for (std::uint64_t bits = 1; bits < std::uint64_t{1} << ready.size(); ++bits) {
    std::vector<std::uint32_t> some;
    for (std::size_t i = 0; i < ready.size(); ++i)
      if ((bits >> i & 1) != 0) some.push_back(ready[i]);
    add(some);
  }
}

void MergedWorld::make(const Move& move) { apply(move); }

void MergedWorld::apply(const Move& move) {
  const Node& before = node(move.actor);
  Undo& undo = made_.emplace_back();
  undo.actor = move.actor;
  if (move.kind == Move::Kind::answer) note_answer(move, before, undo);
  const Actors sources = move.kind == Move::Kind::answer ? sources_of(move, before) : 0;
  moves_.make(move);
  mark(move.actor);
  if (move.kind == Move::Kind::match) mark(move.send.actor);
  if (move.kind == Move::Kind::start) note_start(move.actor, undo);
  if (move.kind == Move::Kind::answer) local_.note_edge(&before, &node(move.actor), sources);
}

void MergedWorld::note_start(std::uint32_t actor, Undo& undo) {
  const Graph::Actor& a = graph().actor(actor);
  const Event& event = a.events.back();
  if (!a.issued) {
    undo.changes_requests = true;
    undo.requests = requests_[actor];
    requests_[actor].push_back(event.request);
  }
  if (event.kind == EventKind::send) mark(std::get<Send>(event.node->operation).destination.value);
  if (event.kind != EventKind::arrive) return;
  const Collective& op = std::get<Collective>(event.node->operation);
  if (!needs_everybody(op) && graph::disagreement_of(graph(), {actor, static_cast<EventIndex>(a.events.size() - 1)}))
    throw NotMergeable{"members that disagree about a collective in which not all need all"};
  for (const ActorId member : op.members) mark(member.value);
  if (std::ranges::find(opens_, event.instance, &Open::instance) != opens_.end()) return;
  undo.changes_collectives = true;
  undo.opens = opens_;
  opens_.push_back({event.instance, 0});
}

// The requests that the answer completes are open no longer.
void MergedWorld::note_answer(const Move& move, const Node& before, Undo& undo) {
  if (const auto* collective = std::get_if<Collective>(&before.operation))
    return complete_collective(move.actor, collective->request, undo);
  if (const auto* post = std::get_if<Post>(&before.operation)) return check_length(move.actor, post->request);
  forget_requests(move, std::get<Observe>(before.operation), undo);
}

void MergedWorld::forget_requests(const Move& move, const Observe& observe, Undo& undo) {
  undo.changes_requests = true;
  undo.requests = requests_[move.actor];
  const auto forget = [&](RequestId request) {
    Requests& open = requests_[move.actor];
    open.erase(std::find(open.begin(), open.end(), request));
    if (kind_of(move.actor, request) == EventKind::arrive) complete_collective(move.actor, request, undo);
    if (kind_of(move.actor, request) == EventKind::post) check_length(move.actor, request);
  };
  if (observe.quantifier == Quantifier::all)
    for (const RequestId request : observe.requests) forget(request);
  else
    for (const std::uint32_t i : move.option.completed) forget(observe.requests[i]);
}

void MergedWorld::complete_collective(std::uint32_t actor, RequestId request, Undo& undo) {
  if (!undo.changes_collectives) undo.opens = opens_;
  undo.changes_collectives = true;
  const Graph::Actor& a = graph().actor(actor);
  const Event& arrival = a.events[a.requests[request.value]];
  const auto open = std::ranges::find(opens_, arrival.instance, &Open::instance);
  REHEARSE_ASSERT(open != opens_.end(), "a collective is open until all members have completed it");
  open->done |= bit_of(actor);
  const auto members = std::get<Collective>(arrival.node->operation).members.size();
  if (static_cast<std::size_t>(std::popcount(open->done)) == members) opens_.erase(open);
}

// What a shorter message does not overwrite belongs to the state.
void MergedWorld::check_length(std::uint32_t actor, RequestId request) const {
  const Graph::Actor& a = graph().actor(actor);
  const Event& post = a.events[a.requests[request.value]];
  const Post& receive = std::get<Post>(post.node->operation);
  const std::uint64_t bytes = graph().send_of(post.partner).data.size();
  if (StateImages::is_too_short(bytes, receive.capacity_bytes, local_.awaited())) throw ShortMessage{bytes};
}

MergedWorld::Actors MergedWorld::sources_of(std::uint32_t actor, RequestId request) const {
  const Graph::Actor& a = graph().actor(actor);
  const EventIndex index = a.requests[request.value];
  const Event& started = a.events[index];
  if (started.kind == EventKind::post) return bit_of(started.partner.actor);
  if (started.kind == EventKind::send) return 0;
  const Collective& op = std::get<Collective>(started.node->operation);
  const std::size_t self = graph::position_in(op, actor);
  Actors all = 0;
  for (std::size_t i = 0; i < op.members.size(); ++i)
    if (policy_.synchronising || needs(op, self, i)) all |= bit_of(op.members[i].value);
  return all;
}

// The actors without which the actor cannot get this answer.
MergedWorld::Actors MergedWorld::sources_of(const Move& move, const Node& before) const {
  Actors all = 0;
  if (const auto* post = std::get_if<Post>(&before.operation)) {
    all = sources_of(move.actor, post->request);
  } else if (const auto* collective = std::get_if<Collective>(&before.operation)) {
    all = sources_of(move.actor, collective->request);
  } else {
    const Observe& observe = std::get<Observe>(before.operation);
    if (observe.quantifier == Quantifier::all)
      for (const RequestId request : observe.requests) all |= sources_of(move.actor, request);
    else
      for (const std::uint32_t i : move.option.completed) all |= sources_of(move.actor, observe.requests[i]);
  }
  return all & ~bit_of(move.actor);
}

void MergedWorld::take_back(std::size_t count) {
  while (made_.size() > count) {
    Undo& undo = made_.back();
    moves_.take_back();
    if (undo.changes_requests) requests_[undo.actor] = undo.requests;
    if (undo.changes_collectives) opens_ = undo.opens;
    made_.pop_back();
  }
  dirty_ = 0;
}

MergedWorld::Actors MergedWorld::under_way_to(std::uint32_t actor) const {
  const Graph::Actor& a = graph().actor(actor);
  Actors all = 0;
  for (std::uint32_t source = 0; source < graph().actor_count(); ++source)
    if (!a.open_inbox[source].empty()) all |= bit_of(source);
  for (const RequestId request : requests_[actor]) {
    const Event& started = a.events[a.requests[request.value]];
    if (started.kind == EventKind::post && started.partner.event != no_event) all |= bit_of(started.partner.actor);
  }
  for (const Open& open : opens_) {
    if ((open.done & bit_of(actor)) != 0) continue;
    for (std::uint32_t other = 0; other < graph().actor_count(); ++other)
      if (open.instance->arrivals[other] != no_event) all |= bit_of(other);
  }
  return all & ~bit_of(actor);
}

}  // namespace rehearse::mc::reduction
