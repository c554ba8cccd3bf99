// SPDX-License-Identifier: MIT
//
// Selects the option that agrees with the forced decisions.
#include "mc/counterexample/follower.hpp"

#include <algorithm>

#include "mc/counterexample/ending.hpp"

namespace rehearse::mc::counterexample {

using reduction::Place;

void Forced::add(const Forced& more) {
  schedule.matches.insert(more.schedule.matches.begin(), more.schedule.matches.end());
  schedule.answers.insert(more.schedule.answers.begin(), more.schedule.answers.end());
  starved.insert(more.starved.begin(), more.starved.end());
}

namespace {

Forced as_forced(const Graph& graph, const Place& place, const history::Node& node, const graph::Option& option) {
  Forced result;
  const Graph::Actor& actor = graph.actor(place.actor);
  const ActorId id{place.actor};
  for (const graph::Match& match : option.matches)
    result.schedule.matches[{id, actor.events[match.post].request}] = {ActorId{match.send.actor},
                                                                       graph.event(match.send).request};
  if (option.starved) result.starved.emplace(id, node.depth);
  if (place.kind == graph::EventKind::observe && !option.starved)
    if (auto answer = answer_of(graph, node, option)) result.schedule.answers[{id, node.depth}] = std::move(*answer);
  return result;
}

}  // namespace

Forced as_forced(const Graph& graph, graph::EventRef observation) {
  const graph::Event& event = graph.event(observation);
  return as_forced(graph, {observation.actor, event.kind, event.request}, *event.node, event.option);
}

// `no`: the option contradicts the orders. `yes`: the orders contain a part of it. `neutral`: neither.
Follower::Fit Follower::fit(const Forced& option, const Forced& orders) {
  bool says_so = false;
  for (const auto& [receive, send] : option.schedule.matches) {
    const auto known = orders.schedule.matches.find(receive);
    if (known != orders.schedule.matches.end()) {
      if (known->second != send) return Fit::no;
      says_so = true;
      continue;
    }
    for (const auto& [other, reserved] : orders.schedule.matches)
      if (reserved == send) return Fit::no;
  }
  for (const auto& [operation, answer] : option.schedule.answers) {
    const auto known = orders.schedule.answers.find(operation);
    if (known == orders.schedule.answers.end()) continue;
    if (!(known->second == answer)) return Fit::no;
    says_so = true;
  }
  for (const auto& operation : option.starved) says_so = says_so || orders.starved.contains(operation);
  return says_so ? Fit::yes : Fit::neutral;
}

// Whether the orders contain the observation of this place.
bool Follower::names(const Graph& graph, const Place& place, const Forced& orders) {
  const Graph::Actor& actor = graph.actor(place.actor);
  const ActorId id{place.actor};
  if (place.kind == graph::EventKind::decide) return orders.schedule.matches.contains({id, place.decides});
  const std::pair operation{id, actor.node->depth};
  if (orders.schedule.answers.contains(operation) || orders.starved.contains(operation)) return true;
  const auto is_named = [&](RequestId request) {
    const graph::Event& started = actor.events[actor.requests[request.value]];
    return started.kind == graph::EventKind::post && started.partner.event == graph::no_event &&
           orders.schedule.matches.contains({id, request});
  };
  if (const auto* post = std::get_if<Post>(&actor.node->operation)) return is_named(post->request);
  const auto* observe = std::get_if<Observe>(&actor.node->operation);
  return observe != nullptr && std::ranges::any_of(observe->requests, is_named);
}

std::optional<std::size_t> Follower::choose_as(const Forced& orders, const Graph& graph, const Place& place,
                                               std::span<const Forced> options, bool& waits) const {
  const bool is_named = names(graph, place, orders);
  std::optional<std::size_t> neutral;
  for (std::size_t i = 0; i < options.size(); ++i) {
    if (fit(options[i], orders_.must) == Fit::no) continue;
    const Fit how = fit(options[i], orders);
    if (is_named && how == Fit::yes) return i;
    if (!neutral && how != Fit::no && options[i].starved.empty()) neutral = i;
  }
  waits = is_named || !neutral;
  return waits ? std::nullopt : neutral;
}

std::optional<std::size_t> Follower::pick(const Graph& graph, const Place& place, std::span<const Forced> options,
                                          bool is_last) {
  bool waits = false;
  const auto forced = choose_as(orders_.must, graph, place, options, waits);
  if (forced && names(graph, place, orders_.must)) return forced;
  if (waits && !is_last) return std::nullopt;
  const auto starving = [&] {
    for (std::size_t i = 0; i < options.size(); ++i)
      if (!options[i].starved.empty()) return std::optional(i);
    return std::optional<std::size_t>();
  };
  if (orders_.to_the_end && starving() && !names(graph, place, orders_.must))
    return is_last ? starving() : std::nullopt;
  if (waits) {
    impossible_.push_back({place.actor, static_cast<graph::EventIndex>(graph.actor(place.actor).events.size())});
    return 0;
  }
  const auto preferred = choose_as(orders_.may, graph, place, options, waits);
  if (preferred) return preferred;
  return is_last ? forced : std::nullopt;
}

std::optional<std::size_t> Follower::choose(const Graph& graph, const Place& place,
                                            std::span<const graph::Option> options, bool is_last) {
  if (update_) update_(graph, orders_.must);
  std::vector<Forced> forced;
  for (const graph::Option& option : options)
    forced.push_back(as_forced(graph, place, *graph.actor(place.actor).node, option));
  const auto chosen = pick(graph, place, forced, is_last);
  if (!chosen) {
    waiting_.insert(place.actor);
    return chosen;
  }
  const bool has_waited = waiting_.erase(place.actor) > 0;
  if (forced.size() > 1 || has_waited) {
    Taken& taken = taken_.emplace_back();
    const Graph::Actor& actor = graph.actor(place.actor);
    taken.event = {place.actor, static_cast<graph::EventIndex>(actor.events.size())};
    taken.operation = actor.node->depth;
    taken.options = std::move(forced);
    taken.chosen = *chosen;
    taken.is_default = *chosen == 0 && !has_waited;
  }
  return chosen;
}

bool Follower::refuses(const Graph& graph, std::uint32_t actor) {
  const Graph::Actor& a = graph.actor(actor);
  if (a.node == nullptr) return false;
  const auto forced = orders_.must.schedule.answers.find({ActorId{actor}, a.node->depth});
  return forced != orders_.must.schedule.answers.end() && !forced->second.flag;
}

}  // namespace rehearse::mc::counterexample
