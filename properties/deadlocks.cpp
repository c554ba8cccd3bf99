// SPDX-License-Identifier: MIT
//
// deadlock.cycle, deadlock.collective, deadlock.orphan and progress.polling: one finding per minimal
// blocked set, told from rank to rank, with the messages that almost fit.
#include <algorithm>

#include "properties/judge.hpp"
#include "properties/wait_graph.hpp"
#include "properties/words.hpp"

namespace rehearse::properties {

namespace {

class Deadlock {
 public:
  Deadlock(const Outcome& outcome, const Describe& describe, const WaitGraph& graph,
           std::vector<ActorId> actors)
      : outcome_(outcome), describe_(describe), graph_(graph), actors_(std::move(actors)) {}

  Finding finding() const;

 private:
  std::string id() const;
  std::vector<ActorId> in_order_of_waiting() const;
  bool is_simple_cycle(const std::vector<ActorId>& order) const;
  std::string what(ActorId actor) const;
  std::string what(const PendingRequest& pending) const;
  std::string story(const std::vector<ActorId>& order,
                    const std::vector<Location>& locations) const;
  std::string endings() const;
  std::string near_misses(ActorId actor) const;
  bool contains(ActorId actor) const {
    return std::binary_search(actors_.begin(), actors_.end(), actor);
  }
  const Need& reason(ActorId actor) const { return graph_.reason(actor); }

  const Outcome& outcome_;
  const Describe& describe_;
  const WaitGraph& graph_;
  std::vector<ActorId> actors_;
};

std::string Deadlock::id() const {
  bool is_collective = false;
  bool has_living_provider = false;
  for (const ActorId actor : actors_) {
    if (outcome_.actors[actor.value].polling) return "progress.polling";
    for (const PendingRequest* pending : reason(actor).requests)
      is_collective |= pending->kind == PendingRequest::Kind::collective;
    for (const ActorId provider : reason(actor).providers)
      has_living_provider |= graph_.is_blocked(provider);
  }
  if (is_collective) return "deadlock.collective";
  return has_living_provider ? "deadlock.cycle" : "deadlock.orphan";
}

// From the lowest rank along the first providers, then whoever is left.
std::vector<ActorId> Deadlock::in_order_of_waiting() const {
  std::vector<ActorId> order;
  const auto is_new = [&](ActorId actor) {
    return contains(actor) && std::find(order.begin(), order.end(), actor) == order.end();
  };
  for (const ActorId start : actors_) {
    if (!is_new(start)) continue;
    order.push_back(start);
    while (true) {
      const auto& providers = reason(order.back()).providers;
      const auto next = std::find_if(providers.begin(), providers.end(), is_new);
      if (next == providers.end()) break;
      order.push_back(*next);
    }
  }
  return order;
}

bool Deadlock::is_simple_cycle(const std::vector<ActorId>& order) const {
  for (std::size_t i = 0; i < order.size(); ++i)
    if (reason(order[i]).providers != std::vector<ActorId>{order[(i + 1) % order.size()]})
      return false;
  return true;
}

std::string Deadlock::what(const PendingRequest& pending) const {
  switch (pending.kind) {
    case PendingRequest::Kind::receive: return wanted_message(pending.pattern);
    case PendingRequest::Kind::send:
      return rank(pending.destination) + " to receive its message with tag " +
             std::to_string(pending.tag) + " (" + bytes(pending.bytes) + ")";
    case PendingRequest::Kind::collective:
      return ranks(pending.missing) + " to take part in " + pending.name;
  }
  return "";
}

std::string Deadlock::what(ActorId actor) const {
  std::vector<std::string> parts;
  for (const PendingRequest* pending : reason(actor).requests) parts.push_back(what(*pending));
  for (const Pattern* probe : reason(actor).probes) parts.push_back(wanted_message(*probe));
  if (parts.empty()) return "waits for ever";
  return (outcome_.actors[actor.value].polling ? "polls for " : "waits for ") +
         joined(parts, " or ");
}

std::string Deadlock::story(const std::vector<ActorId>& order,
                            const std::vector<Location>& locations) const {
  const bool is_chain = is_simple_cycle(order);
  std::string text;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::string who = is_chain && i > 0 ? "which" : rank(order[i]);
    if (i > 0) text += is_chain ? ", " : "; ";
    // "waits in CALL at FILE:LINE for ..."
    const std::string& what = locations[i].what;
    const std::size_t verb_end = what.find(' ');
    text += who + " " + what.substr(0, verb_end) + " in " + call_and_line(locations[i]) +
            what.substr(verb_end);
  }
  return text;
}

// Who could have helped and has ended.
std::string Deadlock::endings() const {
  std::vector<ActorId> ended;
  for (const ActorId actor : actors_)
    for (const ActorId provider : reason(actor).providers)
      if (!graph_.is_blocked(provider)) ended.push_back(provider);
  std::sort(ended.begin(), ended.end());
  ended.erase(std::unique(ended.begin(), ended.end()), ended.end());
  return ended.empty() ? "" : "; " + ranks(ended) + (ended.size() == 1 ? " has ended" : " have ended");
}

// Messages and receives that would have met if they agreed in tag and communicator.
std::string Deadlock::near_misses(ActorId actor) const {
  static constexpr std::size_t most = 3;
  std::vector<std::string> misses;
  const auto look_for_message = [&](const Pattern& wanted) {
    for (const PendingRequest& send : outcome_.pending) {
      if (send.kind != PendingRequest::Kind::send || send.destination != actor ||
          (wanted.source && *wanted.source != send.actor))
        continue;
      const bool other_tag = wanted.tag && *wanted.tag != send.tag;
      const bool other_context = wanted.context != send.context;
      if (!other_tag && !other_context) continue;
      misses.push_back("; " + rank(send.actor) + " has sent " + rank(actor) +
                       " a message with tag " + std::to_string(send.tag) +
                       (other_context ? " in another communicator" : "") +
                       " that nobody received");
    }
  };
  for (const Pattern* probe : reason(actor).probes) look_for_message(*probe);
  for (const PendingRequest* pending : reason(actor).requests) {
    if (pending->kind == PendingRequest::Kind::receive) look_for_message(pending->pattern);
    if (pending->kind != PendingRequest::Kind::send) continue;
    for (const PendingRequest& receive : outcome_.pending) {
      if (receive.kind != PendingRequest::Kind::receive ||
          receive.actor != pending->destination ||
          (receive.pattern.source && *receive.pattern.source != actor))
        continue;
      const bool other_context = receive.pattern.context != pending->context;
      misses.push_back("; " + rank(receive.actor) + " has a receive open for " +
                       wanted_message(receive.pattern) +
                       (other_context ? " in another communicator" : ""));
    }
  }
  if (misses.size() > most) misses.resize(most);
  std::string text;
  for (const std::string& miss : misses) text += miss;
  return text;
}

Finding Deadlock::finding() const {
  Finding finding;
  finding.id = id();
  finding.actors = actors_;
  const std::vector<ActorId> order = in_order_of_waiting();
  for (const ActorId actor : order)
    finding.locations.push_back(place(actor, describe_, what(actor)));
  finding.message = story(order, finding.locations) + endings();
  for (const ActorId actor : order) finding.message += near_misses(actor);
  const std::vector<ActorId> followers = graph_.followers(actors_);
  if (!followers.empty())
    finding.message += "; " + ranks(followers) +
                       (followers.size() == 1 ? " waits" : " wait") + " for " +
                       (actors_.size() == 1 ? "it" : "them") + " in turn";
  return finding;
}

}  // namespace

std::vector<Finding> judge_deadlocks(const Outcome& outcome, const Describe& describe) {
  const WaitGraph graph(outcome);
  std::vector<Finding> findings;
  for (std::vector<ActorId>& actors : graph.minimal_blocked_sets())
    findings.push_back(Deadlock(outcome, describe, graph, std::move(actors)).finding());
  return findings;
}

}  // namespace rehearse::properties
