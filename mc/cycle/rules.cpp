// SPDX-License-Identifier: MIT
//
// See rules.hpp. rules_list.cpp has the conditions of the steps, this file has their effects.
#include "mc/cycle/rules.hpp"

#include <algorithm>

#include "mc/cycle/step_answer.hpp"
#include "mc/graph/collective_instance.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::mc::cycle {

World Rules::first(std::uint32_t actors) const {
  World world;
  world.actors.resize(actors);
  for (std::uint32_t a = 0; a < actors; ++a) stand_at(world, a, history_.start({a}));
  return world;
}

std::uint64_t Rules::doer_of(const World& world, const Step& step) {
  constexpr int kind_at = 56, actor_at = 32, source_at = 16;
  const auto named = [&](std::uint64_t kind, std::uint64_t rest) {
    return kind << kind_at | std::uint64_t{step.actor} << actor_at | rest;
  };
  switch (step.kind) {
    case Step::Kind::publish:
    case Step::Kind::start:
    case Step::Kind::answer: return step.actor;
    case Step::Kind::match: return named(1, step.request.value);
    case Step::Kind::notice: return named(2, step.request.value);
    case Step::Kind::see: break;
  }
  // A message keeps its place in its channel while it waits, unless an earlier one is taken.
  const std::vector<Message>& inbox = world.actors[step.actor].inbox;
  const std::uint32_t source = inbox[step.message].source;
  const auto place = std::count_if(inbox.begin(), inbox.begin() + step.message,
                                   [&](const Message& message) { return message.source == source; });
  return named(3, std::uint64_t{source} << source_at | static_cast<std::uint64_t>(place));
}

void Rules::make(World& world, const Step& step) const {
  Actor& actor = world.actors[step.actor];
  switch (step.kind) {
    case Step::Kind::publish: ++actor.published; return;
    case Step::Kind::start: return start(world, step.actor);
    case Step::Kind::answer: return answer(world, step);
    case Step::Kind::notice: world.find(step.actor, step.request)->is_noticeable = true; return;
    case Step::Kind::see: actor.inbox[step.message].is_visible = true; return;
    case Step::Kind::match: break;
  }
  const Message message = actor.inbox[step.message];
  actor.inbox.erase(actor.inbox.begin() + step.message);
  Started& receive = *world.find(step.actor, step.request);
  receive.is_matched = true;
  receive.source = message.source;
  receive.message = message.sent;
  if (message.request != nobody) world.find(message.source, {message.request})->is_matched = true;
}

void Rules::stand_at(World& world, std::uint32_t actor, const Node* node) const {
  if (!node->released.empty()) throw NotComparable{"requests that are freed before they are complete"};
  Actor& at = world.actors[actor];
  at.node = node;
  at.is_issued = false;
  at.published = 0;
}

void Rules::start(World& world, std::uint32_t actor) const {
  Actor& at = world.actors[actor];
  const Node* node = at.node;
  Started started;
  started.node = node;
  bool blocking = true;
  if (const auto* send = std::get_if<Send>(&node->operation)) {
    started.request = send->request;
    blocking = send->blocking;
    std::vector<Message>& inbox = world.actors[send->destination.value].inbox;
    inbox.insert(std::ranges::upper_bound(inbox, actor, {}, &Message::source),
                 {actor, node, may_wait(*send) ? send->request.value : nobody, false});
  } else if (const auto* post = std::get_if<Post>(&node->operation)) {
    started.kind = Started::Kind::receive;
    started.request = post->request;
    blocking = post->blocking;
  } else {
    const Collective& collective = std::get<Collective>(node->operation);
    started.kind = Started::Kind::collective;
    started.request = collective.request;
    blocking = collective.blocking;
    arrive(world, actor, collective);
  }
  if (world.find(actor, started.request) != nullptr) throw NotComparable{"more than 256 requests of one actor"};
  at.started.push_back(started);
  at.is_issued = blocking;
  if (!blocking) stand_at(world, actor, history_.advance(node));
}

void Rules::arrive(World& world, std::uint32_t actor, const Collective& collective) const {
  const std::size_t self = graph::position_in(collective, actor);
  const auto waits_for_it = [&](const Instance& instance) {
    return instance.context == collective.context && instance.arrivals[self] == nullptr;
  };
  auto instance = std::ranges::find_if(world.instances, waits_for_it);
  if (instance == world.instances.end()) {
    const std::size_t members = collective.members.size();
    world.instances.push_back({collective.context, std::vector<const Node*>(members), std::vector<bool>(members)});
    instance = world.instances.end() - 1;
  }
  const Node* mine = world.actors[actor].node;
  for (const Node* other : instance->arrivals)
    if (other != nullptr && other->collective_hash != mine->collective_hash)
      throw NotComparable{"members that disagree about a collective"};
  for (std::size_t i = 0; i < instance->arrivals.size(); ++i)
    if (instance->arrivals[i] != nullptr &&
        clash_of(collective, self, std::get<Collective>(instance->arrivals[i]->operation), i))
      throw NotComparable{"members that disagree about a collective"};
  instance->arrivals[self] = mine;
}

void Rules::answer(World& world, const Step& step) const {
  Actor& actor = world.actors[step.actor];
  const Node& node = *actor.node;
  const Node* next = std::holds_alternative<Send>(node.operation)
                         ? history_.advance(&node)
                         : history_.advance(&node, answer_key(world, step),
                                            [&](history::Reply& reply) { make_answer(world, step, reply); });
  if (const auto* send = std::get_if<Send>(&node.operation)) {
    forget(world, step.actor, send->request);
  } else if (const auto* post = std::get_if<Post>(&node.operation)) {
    forget(world, step.actor, post->request);
  } else if (const auto* collective = std::get_if<Collective>(&node.operation)) {
    forget(world, step.actor, collective->request);
  } else if (const auto* observe = std::get_if<Observe>(&node.operation); observe != nullptr && step.flag) {
    if (observe->quantifier == Quantifier::all)
      for (const RequestId request : observe->requests) forget(world, step.actor, request);
    else
      for (const std::uint32_t i : step.completed) forget(world, step.actor, observe->requests[i]);
  } else if (std::holds_alternative<Probe>(node.operation) && step.flag && polls_.probes) {
    actor.inbox[step.message].is_visible = true;  // it stays so
  }
  stand_at(world, step.actor, next);
}

// The actor has seen the request complete.
void Rules::forget(World& world, std::uint32_t actor, RequestId request) const {
  const Started& started = *world.find(actor, request);
  if (started.kind == Started::Kind::send && !started.is_matched) {
    const Send& send = std::get<Send>(started.node->operation);
    for (Message& message : world.actors[send.destination.value].inbox)
      if (message.source == actor && message.request == request.value) message.request = nobody;
  } else if (started.kind == Started::Kind::collective) {
    const std::size_t index = world.instance_of(actor, request);
    Instance& instance = world.instances[index];
    instance.done[graph::position_in(std::get<Collective>(started.node->operation), actor)] = true;
    if (std::ranges::all_of(instance.done, [](bool is_done) { return is_done; }))
      world.instances.erase(world.instances.begin() + static_cast<std::ptrdiff_t>(index));
  }
  auto& all = world.actors[actor].started;
  all.erase(std::ranges::find(all, request, &Started::request));
}

}  // namespace rehearse::mc::cycle
