// SPDX-License-Identifier: MIT
//
// The footprint of each move.
#include "mc/reduction/message_steps.hpp"

#include <algorithm>

#include "mc/graph/collective_instance.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::mc::reduction {

using graph::EventIndex;
using graph::EventKind;
using graph::EventRef;
using graph::Graph;

namespace {

// The objects that message steps access. there: the event exists. settled: the event has its partner, or will never
// have one. in_view: the set of messages that the actor's probes can see. doer: only names a doer.
enum class Thing : std::uint8_t { doer = 1, there, settled, in_view };

std::uint64_t name_of(Thing thing, EventRef event) {
  return static_cast<std::uint64_t>(thing) << 60 | static_cast<std::uint64_t>(event.actor) << 32 | event.event;
}

Thing thing_of(std::uint64_t name) { return static_cast<Thing>(name >> 60); }

EventRef event_of(std::uint64_t name) {
  return {static_cast<std::uint32_t>(name >> 32) & 0xfffffff, static_cast<EventIndex>(name)};
}

void add(Footprint& footprint, Thing thing, EventRef event, Access access) {
  footprint.touches.push_back({name_of(thing, event), access});
}

std::uint64_t number_of(const graph::Option& option) {
  std::vector<std::uint64_t> words{option.flag, option.probed.actor, option.probed.event};
  words.insert(words.end(), option.completed.begin(), option.completed.end());
  return history::hash_bytes(words.data(), words.size() * sizeof words[0]).low;
}

bool withdraws(const Operation& operation) {
  const auto* observe = std::get_if<Observe>(&operation);
  return observe != nullptr && observe->withdraws;
}

}  // namespace

MessageSteps::MessageSteps(history::History& history, std::uint32_t actors, const Policy& policy, std::uint32_t polls,
                           std::vector<bool>& recalling)
    : history_(history), moves_(history, actors, policy, polls), recalling_(recalling) {
  recalling_.resize(actors);
}

// Sets the doer of the step, and the number of the alternative that it chooses.
void MessageSteps::name(const Move& move, Step& step) const {
  if (move.kind == Move::Kind::match) {
    step.who = name_of(Thing::there, {move.actor, move.post});
    step.what = name_of(Thing::there, move.send);
    return;
  }
  step.who = name_of(Thing::doer, {move.actor, 0});
  // The state of matching decides whether a withdrawn receive has its message: no choice of the actor.
  const bool chooses = move.kind == Move::Kind::answer && !withdraws(moves_.graph().actor(move.actor).node->operation);
  step.what = chooses ? number_of(move.option) : 0;
}

void MessageSteps::list(std::vector<Step>& steps) {
  listed_.clear();
  moves_.list(listed_);
  for (const Move& move : listed_) {
    Step& step = steps.emplace_back();
    name(move, step);
    add_footprint(move, step.footprint);
  }
}

void MessageSteps::take(Step& step) {
  listed_.clear();
  const EventRef doer = event_of(step.who);
  if (thing_of(step.who) == Thing::there) moves_.list_matches(doer.actor, doer.event, listed_);
  else moves_.list_of_actor(doer.actor, listed_);
  const auto move = std::ranges::find_if(listed_, [&](const Move& candidate) {
    Step named;
    name(candidate, named);
    return named.is(step);
  });
  REHEARSE_ASSERT(move != listed_.end(), "a step that is possible");
  step.footprint.touches.clear();
  add_footprint(*move, step.footprint);
  if (recalls(*move) && !recalling_[move->actor]) outdated_ = recalling_[move->actor] = true;
  moves_.make(*move);
}

// Whether the move is a poll with a probe, and an earlier probe of the actor has found a message.
bool MessageSteps::recalls(const Move& move) const {
  const Graph::Actor& actor = moves_.graph().actor(move.actor);
  const auto* probe = move.kind == Move::Kind::answer ? std::get_if<Probe>(&actor.node->operation) : nullptr;
  return probe != nullptr && !probe->blocking && std::ranges::any_of(actor.events, [](const graph::Event& e) {
           return e.option.probed.event != graph::no_event;
         });
}

void MessageSteps::add_footprint(const Move& move, Footprint& footprint) const {
  const Graph& graph = moves_.graph();
  const Graph::Actor& actor = graph.actor(move.actor);
  switch (move.kind) {
    case Move::Kind::match: add_match(move, footprint); break;
    case Move::Kind::start:
      add(footprint, Thing::there, {move.actor, static_cast<EventIndex>(actor.events.size())}, Access::makes);
      if (const auto* post = std::get_if<Post>(&actor.node->operation); post != nullptr && post->taken)
        add(footprint, Thing::settled, actor.events[actor.takes[*post->taken]].option.probed, Access::makes);
      break;
    case Move::Kind::complete:
      add_completion({move.actor, static_cast<EventIndex>(actor.events.size() - 1)}, footprint);
      break;
    case Move::Kind::answer: {
      const Operation& operation = actor.node->operation;
      if (const auto* observe = std::get_if<Observe>(&operation)) add_observe(move, *observe, footprint);
      else if (const auto* probe = std::get_if<Probe>(&operation)) add_probe(move, *probe, footprint);
      else if (!std::holds_alternative<Choose>(operation))
        add_request(move.actor, actor.events.back().request, footprint);
      break;
    }
  }
}

// Adds the events that must be settled before the receive or probe can see the message: earlier messages of the channel
// that its pattern accepts, and earlier receives that accept the message.
void MessageSteps::add_view(std::uint32_t actor, const Pattern& pattern, EventIndex posts_before, EventRef send,
                            Footprint& footprint) const {
  const Graph& graph = moves_.graph();
  const Send& message = graph.send_of(send);
  add(footprint, Thing::there, send, Access::needs);
  for (const EventIndex other : graph.actor(actor).inbox[send.actor])
    if (other < send.event && graph::accepts(pattern, send.actor, graph.send_of({send.actor, other})))
      add(footprint, Thing::settled, {send.actor, other}, Access::needs);
  for (const EventIndex other : graph.actor(actor).posts)
    if (other < posts_before && graph::accepts(graph.pattern_of(actor, other), send.actor, message))
      add(footprint, Thing::settled, {actor, other}, Access::needs);
}

void MessageSteps::add_match(const Move& move, Footprint& footprint) const {
  const EventRef receive{move.actor, move.post};
  add(footprint, Thing::there, receive, Access::needs);
  add_view(move.actor, moves_.graph().pattern_of(move.actor, move.post), move.post, move.send, footprint);
  add(footprint, Thing::settled, receive, Access::makes);
  add(footprint, Thing::settled, move.send, Access::makes);
  if (recalling_[move.actor]) add(footprint, Thing::in_view, {move.actor, 0}, Access::writes);
}

void MessageSteps::add_completion(EventRef send, Footprint& footprint) const {
  const Graph& graph = moves_.graph();
  const Send& message = graph.send_of(send);
  const Policy& policy = moves_.policy();
  if (message.mode == SendMode::buffered) return;
  if (message.mode == SendMode::synchronous || policy.eager_bytes == 0)
    return add(footprint, Thing::settled, send, Access::needs);
  if (policy.eager_bytes == Policy::infinite) return;
  for (const EventIndex other : graph.actor(message.destination.value).inbox[send.actor])
    if (other <= send.event) add(footprint, Thing::settled, {send.actor, other}, Access::reads);
}

void MessageSteps::add_request(std::uint32_t actor, RequestId request, Footprint& footprint) const {
  const Graph& graph = moves_.graph();
  const EventRef started{actor, graph.actor(actor).requests[request.value]};
  switch (graph.event(started).kind) {
    case EventKind::send: return add_completion(started, footprint);
    case EventKind::post: return add(footprint, Thing::settled, started, Access::needs);
    case EventKind::arrive: {
      const graph::Event& mine = graph.event(started);
      const Collective& collective = std::get<Collective>(mine.node->operation);
      const std::size_t self = graph::position_in(collective, actor);
      for (std::size_t i = 0; i < collective.members.size(); ++i) {
        const std::uint32_t member = collective.members[i].value;
        if (member != actor && (moves_.policy().synchronising || needs(collective, self, i)))
          add(footprint, Thing::there, {member, mine.instance->arrivals[member]}, Access::needs);
      }
      return;
    }
    case EventKind::decide:
    case EventKind::observe: REHEARSE_ASSERT(false, "a request is started by neither");
  }
}

void MessageSteps::add_observe(const Move& move, const Observe& op, Footprint& footprint) const {
  if (op.withdraws) {
    const EventIndex post = moves_.graph().actor(move.actor).requests[op.requests.front().value];
    return add(footprint, Thing::settled, {move.actor, post}, Access::writes);
  }
  if (!move.option.flag) return;
  if (op.quantifier == Quantifier::all)
    for (const RequestId request : op.requests) add_request(move.actor, request, footprint);
  else
    for (const std::uint32_t i : move.option.completed) add_request(move.actor, op.requests[i], footprint);
}

void MessageSteps::add_probe(const Move& move, const Probe& op, Footprint& footprint) const {
  if (recalling_[move.actor] && !op.blocking) add(footprint, Thing::in_view, {move.actor, 0}, Access::reads);
  if (!move.option.flag) return;
  add_view(move.actor, op.pattern, graph::no_event, move.option.probed, footprint);
  if (op.takes) add(footprint, Thing::settled, move.option.probed, Access::makes);
}

void MessageSteps::forget_what_is_behind() {
  if (!history_.is_full()) return;
  std::vector<const history::Node*> here;
  for (std::uint32_t a = 0; a < moves_.graph().actor_count(); ++a) here.push_back(moves_.graph().actor(a).node);
  history_.collect(here);
}

}  // namespace rehearse::mc::reduction
