// SPDX-License-Identifier: MIT
//
// Grows teams, and takes the one with the fewest choices.
#include "mc/reduction/teams.hpp"

#include <algorithm>

namespace rehearse::mc::reduction {

using graph::EventIndex;
using graph::EventKind;
using graph::Graph;

namespace {

constexpr Teams::Actors everybody = ~Teams::Actors{0};

Teams::Actors set_of(std::uint32_t actor) { return Teams::Actors{1} << actor; }
bool contains(Teams::Actors set, std::uint32_t actor) { return (set >> actor & 1) != 0; }

}  // namespace

std::vector<Move> Teams::choose(const MergedWorld& world) {
  const std::uint32_t actors = world.graph().actor_count();
  choices_.clear();
  under_way_.clear();
  for (std::uint32_t a = 0; a < actors; ++a) {
    Choices mine{a, {}};
    world.list_choices(a, mine.moves);
    if (!mine.moves.empty()) choices_.push_back(std::move(mine));
    under_way_.push_back(world.under_way_to(a));
  }
  if (choices_.empty()) return {};
  const auto size_of = [this](Actors team) {
    std::size_t sum = 0;
    for (const Choices& each : choices_) sum += contains(team, each.actor) ? each.moves.size() : 0;
    return sum;
  };
  Actors best = everybody;
  for (const Choices& each : choices_) {
    const Actors team = rules_.asks_futures ? grown(world, set_of(each.actor)) : set_of(each.actor);
    if (size_of(team) < size_of(best)) best = team;
  }
  std::vector<Move> all;
  for (Choices& each : choices_)
    if (contains(best, each.actor)) std::ranges::move(each.moves, std::back_inserter(all));
  return all;
}

// The smallest team found that contains this one.
Teams::Actors Teams::grown(const MergedWorld& world, Actors team) {
  const std::uint32_t actors = world.graph().actor_count();
  for (;;) {
    Actors still = 0;
    for (std::uint32_t a = 0; a < actors; ++a) {
      if (!contains(team, a)) continue;
      const Standing how = standing(world, a);
      if (how == Standing::unclear) return everybody;
      if (how == Standing::still || !rules_.watches_members) still |= set_of(a);
    }
    const Actors active = active_without(world, team, still);
    Actors more = 0;
    for (std::uint32_t a = 0; a < actors; ++a)
      if (contains(active, a) && threatens(world, a, team, still)) more |= set_of(a);
    if (more == 0) return team;
    Actors ready = 0;
    for (const Choices& each : choices_) ready |= more & ~team & set_of(each.actor);
    if (ready == 0) return everybody;
    team |= ready;
  }
}

// The actors that can move while the team makes none of its choices, or that these can make able to move, and so on.
Teams::Actors Teams::active_without(const MergedWorld& world, Actors team, Actors still) {
  const std::uint32_t actors = world.graph().actor_count();
  Actors active = 0;
  for (const Choices& each : choices_) active |= set_of(each.actor) & ~team;
  const auto is_made_able = [&](std::uint32_t actor) {
    for (std::uint32_t other = 0; other < actors; ++other)
      if (contains(active, other) && makes_able(world, other, actor, still)) return true;
    return false;
  };
  for (Actors before = ~active; rules_.follows_movers && before != active;) {
    before = active;
    for (std::uint32_t a = 0; a < actors; ++a)
      if (!contains(active | still, a) && !world.is_over(a) && is_made_able(a)) active |= set_of(a);
  }
  return active;
}

// Whether something that the first actor may do while those of the team stand still gives the second one a move.
bool Teams::makes_able(const MergedWorld& world, std::uint32_t actor, std::uint32_t other, Actors still) {
  const Graph::Actor& waiting = world.graph().actor(other);
  const auto waits_for_actor = [&](RequestId request) {
    if (world.is_complete(other, request)) return false;
    const graph::Event& started = waiting.events[waiting.requests[request.value]];
    if (const auto* send = std::get_if<Send>(&started.node->operation)) return send->destination.value == actor;
    const auto* collective = std::get_if<Collective>(&started.node->operation);
    return collective != nullptr && std::ranges::find(collective->members, ActorId{actor}) != collective->members.end();
  };
  const Operation& operation = waiting.node->operation;
  if (const auto* observe = std::get_if<Observe>(&operation)) {
    if (std::ranges::any_of(observe->requests, waits_for_actor)) return true;
  } else if (!std::holds_alternative<Post>(operation) && waits_for_actor(waiting.events.back().request)) {
    return true;
  }
  return !waiting.open_posts.empty() && may_send(world, actor, set_of(other), still);
}

Teams::Standing Teams::standing(const MergedWorld& world, std::uint32_t actor) {
  const Graph::Actor& a = world.graph().actor(actor);
  const Operation& operation = a.node->operation;
  if (world.is_over(actor) || std::holds_alternative<Post>(operation)) return Standing::still;
  const auto* observe = std::get_if<Observe>(&operation);
  if (observe == nullptr) return Standing::moving;
  const auto is_open = [&](RequestId request, bool is_receive) {
    return (world.kind_of(actor, request) == EventKind::post) == is_receive && !world.is_complete(actor, request);
  };
  const bool has_receive = std::ranges::any_of(observe->requests, [&](RequestId r) { return is_open(r, true); });
  if (observe->quantifier == Quantifier::all) return has_receive ? Standing::still : Standing::moving;
  const bool has_other = std::ranges::any_of(observe->requests, [&](RequestId r) { return is_open(r, false); });
  return has_other ? Standing::unclear : Standing::still;
}

// Whether the actor waits for a message of its own that only an actor which stands still can take.
bool Teams::waits_for_team(const MergedWorld& world, std::uint32_t actor, Actors still) {
  const Graph::Actor& a = world.graph().actor(actor);
  const auto is_held = [&](RequestId request) {
    const graph::Event& started = a.events[a.requests[request.value]];
    return started.kind == EventKind::send && !world.is_complete(actor, request) &&
           contains(still, std::get<Send>(started.node->operation).destination.value);
  };
  if (const auto* send = std::get_if<Send>(&a.node->operation)) return is_held(send->request);
  const auto* observe = std::get_if<Observe>(&a.node->operation);
  return observe != nullptr && observe->quantifier == Quantifier::all &&
         std::ranges::any_of(observe->requests, is_held);
}

// Whether the actor may send a message that is a new choice for a member, while those of the team stand still.
bool Teams::threatens(const MergedWorld& world, std::uint32_t actor, Actors team, Actors still) {
  return !waits_for_team(world, actor, still) && may_send(world, actor, team, still);
}

// Whether the actor may send a message that is a new choice for one of the others, while those of the team stand still.
bool Teams::may_send(const MergedWorld& world, std::uint32_t actor, Actors others, Actors still) {
  if (world.is_over(actor)) return false;
  const Actors silent = rules_.counts_under_way ? still & ~under_way_[actor] : still;
  return std::ranges::any_of(futures_.after(&world.node(actor), silent), [&](const Futures::Envelope& envelope) {
    return contains(others, envelope.destination.value) && is_new_choice(world, actor, envelope);
  });
}

// Whether an open receive accepts the message, and no earlier message of the channel that it also accepts.
bool Teams::is_new_choice(const MergedWorld& world, std::uint32_t sender, const Futures::Envelope& envelope) {
  const std::uint32_t receiver = envelope.destination.value;
  const Graph::Actor& a = world.graph().actor(receiver);
  Send message;
  message.context = envelope.context;
  message.tag = envelope.tag;
  return std::any_of(a.open_posts.begin(), a.open_posts.end(), [&](EventIndex post) {
    const Pattern& pattern = world.graph().pattern_of(receiver, post);
    return graph::accepts(pattern, sender, message) &&
           std::none_of(a.open_inbox[sender].begin(), a.open_inbox[sender].end(), [&](EventIndex waiting) {
             return graph::accepts(pattern, sender, world.graph().send_of({sender, waiting}));
           });
  });
}

}  // namespace rehearse::mc::reduction
