// SPDX-License-Identifier: MIT
//
// deadlock.cycle, deadlock.collective, deadlock.orphan and progress.polling: one finding per minimal blocked set. The
// message goes from rank to rank and names messages that almost match. Ranks that wait for the same event at one place
// share one sentence.
#include <algorithm>
#include <map>

#include "properties/judge.hpp"
#include "properties/wait_graph.hpp"
#include "properties/words.hpp"
#include "simcore/notice.hpp"
#include "simcore/support/format.hpp"
#include "smpi/failure_plan.hpp"

namespace rehearse::properties {

namespace {

class Deadlock {
 public:
  Deadlock(const Outcome& outcome, const Describe& describe, const WaitGraph& graph, std::vector<ActorId> actors)
      : outcome_(outcome), graph_(graph), actors_(std::move(actors)) {
    for (const ActorId actor : actors_) standing_.emplace(actor, describe(actor));
  }

  Finding finding() const;
  // For a single actor: the event that it waits for, the place, and the ranks that have ended.
  std::string single_wait() const;

 private:
  std::string id() const;
  std::vector<ActorId> in_order_of_waiting() const;
  bool is_simple_cycle(const std::vector<ActorId>& order) const;
  std::string what(ActorId actor) const;
  std::string what(const PendingRequest& pending) const;
  std::string advice() const;
  std::vector<Location> starts(ActorId actor) const;
  std::string waits_text(const std::vector<ActorId>& order, const std::vector<Location>& locations) const;
  std::string endings() const;
  std::string threads_text(ActorId actor) const;
  std::string near_misses(ActorId actor, std::vector<Location>& places) const;
  bool contains(ActorId actor) const { return std::binary_search(actors_.begin(), actors_.end(), actor); }
  const Need& reason(ActorId actor) const { return graph_.reason(actor); }

  const Outcome& outcome_;
  const WaitGraph& graph_;
  std::vector<ActorId> actors_;
  std::map<ActorId, CallDescription> standing_;  // descriptions of these actors
};

std::string Deadlock::id() const {
  bool is_collective = false;
  bool has_living_provider = false;
  for (const ActorId actor : actors_) {
    if (outcome_.actors[actor.value].polling) return "progress.polling";
    for (const PendingRequest* pending : reason(actor).requests)
      is_collective |= pending->kind == PendingRequest::Kind::collective;
    for (const ActorId provider : reason(actor).providers) has_living_provider |= graph_.is_blocked(provider);
  }
  if (is_collective) return "deadlock.collective";
  return has_living_provider ? "deadlock.cycle" : "deadlock.orphan";
}

// From the lowest rank along the first providers, then the remaining ranks.
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
    if (reason(order[i]).providers != std::vector<ActorId>{order[(i + 1) % order.size()]}) return false;
  return true;
}

std::string Deadlock::what(const PendingRequest& pending) const {
  const CallDescription& standing = standing_.at(pending.actor);
  const StartedRequest* started = find_started(standing, pending.request);
  const std::string at = started == nullptr ? ""
                                            : call_and_line(place_at(pending.actor, started->call, started->at, ""));
  if (const std::string_view epoch = needed_for_epoch(standing); !epoch.empty() && started == nullptr) {
    const bool is_send = pending.kind == PendingRequest::Kind::send;
    if (is_send || (pending.kind == PendingRequest::Kind::receive && pending.pattern.source))
      return fmt::format("{} to {}",
                         is_send ? rank_in(standing, pending.context, pending.destination)
                                 : rank_in(standing, pending.pattern.context, *pending.pattern.source),
                         epoch);
  }
  switch (pending.kind) {
    case PendingRequest::Kind::receive:
      if (pending.pattern.tag == smpi::agreement_tag)
        return rank(*pending.pattern.source) + " to take part in the agreement";
      return wanted_message_in(standing, pending.pattern) + (at.empty() ? "" : " (" + at + ")");
    case PendingRequest::Kind::send:
      return fmt::format("{} to receive its message with tag {} ({}{})",
                         rank_in(standing, pending.context, pending.destination), pending.tag, bytes(pending.bytes),
                         at.empty() ? "" : ", " + at);
    case PendingRequest::Kind::collective:
      return many_ranks_in(standing, pending.context, pending.missing) + " to take part in " + pending.name +
             (at.empty() ? "" : " (" + at + ")");
    case PendingRequest::Kind::access:
      return many_ranks_in(standing, pending.context, pending.missing) + " " + pending.name;
  }
  return "";
}

// Where the requests that the actor waits for were started.
std::vector<Location> Deadlock::starts(ActorId actor) const {
  std::vector<Location> places;
  for (const PendingRequest* pending : reason(actor).requests) {
    const StartedRequest* started = find_started(standing_.at(actor), pending->request);
    if (started == nullptr) continue;
    const char* what = pending->kind == PendingRequest::Kind::receive  ? "posted the receive that it waits for"
                       : pending->kind == PendingRequest::Kind::send   ? "started the send that it waits for"
                       : pending->kind == PendingRequest::Kind::access ? "started the access that it waits for"
                                                                       : "started the collective that it waits for";
    places.push_back(place_at(actor, started->call, started->at, what));
  }
  return places;
}

// For a cycle of windows, or one in which no send waits for another rank: the advice of the catalogue is about sends.
std::string Deadlock::advice() const {
  bool waits_for_itself = true, waits_for_messages = true, waits_for_epochs = true;
  for (const ActorId actor : actors_) {
    waits_for_epochs = waits_for_epochs && !needed_for_epoch(standing_.at(actor)).empty();
    const Need& need = reason(actor);
    waits_for_itself = waits_for_itself && need.providers == std::vector<ActorId>{actor};
    for (const PendingRequest* pending : need.requests)
      waits_for_messages = waits_for_messages && pending->kind == PendingRequest::Kind::receive;
  }
  if (waits_for_epochs)
    return "Call MPI_Win_post before MPI_Win_start, and MPI_Win_complete before MPI_Win_wait, in each rank: "
           "MPI_Win_start may wait for the post of each target, and MPI_Win_wait waits for each origin to complete.";
  if (waits_for_itself)
    return "The rank waits for a call of its own that comes later. Start the send or the receive with MPI_Isend or "
           "MPI_Irecv, and complete both afterwards, or use MPI_Sendrecv.";
  if (waits_for_messages)
    return "Let one rank send before it receives. Now each rank receives first, and the message that it waits for "
           "comes "
           "after the receive of another rank.";
  return "";
}

std::string Deadlock::what(ActorId actor) const {
  std::vector<std::string> parts;
  for (const PendingRequest* pending : reason(actor).requests) parts.push_back(what(*pending));
  for (const Pattern* probe : reason(actor).probes) parts.push_back(wanted_message_in(standing_.at(actor), *probe));
  if (parts.empty()) return "waits forever";
  return (outcome_.actors[actor.value].polling ? "polls for " : "waits for ") + joined(parts, " or ");
}

// "rank 0 waits in CALL at FILE:LINE for ..."
std::string wait_of(const std::string& who, bool are_several, const Location& location) {
  const std::size_t verb_end = location.what.find(' ');
  std::string verb = location.what.substr(0, verb_end);
  if (are_several) verb.pop_back();
  return who + " " + verb + " in " + call_and_line(location) + location.what.substr(verb_end);
}

std::string Deadlock::waits_text(const std::vector<ActorId>& order, const std::vector<Location>& locations) const {
  static constexpr std::size_t most = 12;
  std::vector<std::string> parts;
  if (is_simple_cycle(order)) {
    for (std::size_t i = 0; i < order.size(); ++i)
      parts.push_back(wait_of(i == 0 ? rank(order[i]) : "which", false, locations[i]));
    if (parts.size() > most) {
      const std::size_t left_out = parts.size() - most;
      parts.erase(parts.begin() + most - 1, parts.end() - 1);
      parts.insert(parts.end() - 1, fmt::format("and so on for {} ranks", left_out));
    }
    return joined(parts, ", ");
  }
  std::vector<bool> is_reported(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (is_reported[i]) continue;
    std::vector<ActorId> alike;
    for (std::size_t k = i; k < order.size(); ++k) {
      if (is_reported[k] || locations[k].what != locations[i].what ||
          call_and_line(locations[k]) != call_and_line(locations[i]))
        continue;
      is_reported[k] = true;
      alike.push_back(order[k]);
    }
    std::sort(alike.begin(), alike.end());
    parts.push_back(wait_of(many_ranks(alike), alike.size() > 1, locations[i]));
  }
  const std::size_t left_out = parts.size() > most ? parts.size() - most : 0;
  parts.resize(parts.size() - left_out);
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : "; ") + part;
  return left_out == 0 ? text : fmt::format("{}; and so on for {} more", text, left_out);
}

// The other threads of the rank, which wait, too.
std::string Deadlock::threads_text(ActorId actor) const {
  std::vector<std::string> parts;
  for (const ThreadPlace& thread : standing_.at(actor).threads)
    parts.push_back(
        fmt::format("thread {} in {}", thread.number, call_and_line(place_at(actor, thread.call, thread.at, ""))));
  if (parts.empty()) return "";
  return fmt::format("; of {}, also {} {}", rank(actor), joined(parts, ", "), parts.size() == 1 ? "waits" : "wait");
}

// The providers that have ended.
std::string Deadlock::endings() const {
  std::vector<ActorId> ended;
  for (const ActorId actor : actors_)
    for (const ActorId provider : reason(actor).providers)
      if (!graph_.is_blocked(provider)) ended.push_back(provider);
  std::sort(ended.begin(), ended.end());
  ended.erase(std::unique(ended.begin(), ended.end()), ended.end());
  return ended.empty() ? "" : "; " + many_ranks(ended) + (ended.size() == 1 ? " has ended" : " have ended");
}

// How the message differs from the wanted one, if only in its sender, or only in its tag, communicator or both.
std::string miss(const PendingRequest& send, const Pattern& wanted, ActorId actor, const CallDescription& standing) {
  const bool other_source = wanted.source && *wanted.source != send.actor;
  const bool other_tag = wanted.tag && *wanted.tag != send.tag;
  const bool other_context = wanted.context != send.context;
  if (send.kind != PendingRequest::Kind::send || send.destination != actor) return "";
  if (other_source ? other_tag || other_context : !other_tag && !other_context) return "";
  const auto named = [&](ActorId who) { return rank_in(standing, wanted.context, who); };
  return fmt::format("; {}{} has sent {} a message with tag {}{} that nobody received", named(send.actor),
                     other_source ? ", not " + named(*wanted.source) + "," : "", rank(actor), send.tag,
                     other_context ? " in another communicator" : "");
}

// Messages and receives that differ only in tag, communicator or sender, and the places of the sends.
std::string Deadlock::near_misses(ActorId actor, std::vector<Location>& places) const {
  static constexpr std::size_t most = 3;
  std::vector<std::string> misses;
  const auto look_for_message = [&](const Pattern& wanted) {
    for (const PendingRequest& send : outcome_.pending) {
      std::string text = miss(send, wanted, actor, standing_.at(actor));
      if (text.empty() || misses.size() == most) continue;
      Location place = place_at(send.actor, send.origin.call, send.started_at, "sent a message that nobody received");
      if (!place.call.empty()) text += " (" + call_and_line(place) + ")";
      misses.push_back(std::move(text));
      places.push_back(std::move(place));
    }
  };
  for (const Pattern* probe : reason(actor).probes) look_for_message(*probe);
  for (const PendingRequest* pending : reason(actor).requests) {
    const Pattern& wanted = pending->pattern;
    const bool is_of_library = wanted.tag && is_notice_tag(*wanted.tag);
    if (pending->kind == PendingRequest::Kind::receive && !is_of_library) look_for_message(wanted);
    if (pending->kind != PendingRequest::Kind::send) continue;
    for (const PendingRequest& receive : outcome_.pending) {
      if (receive.kind != PendingRequest::Kind::receive || receive.actor != pending->destination ||
          (receive.pattern.source && *receive.pattern.source != actor) ||
          (receive.pattern.tag && is_notice_tag(*receive.pattern.tag)))
        continue;
      const bool other_context = receive.pattern.context != pending->context;
      misses.push_back("; " + rank(receive.actor) + " has a receive open for " + wanted_message(receive.pattern) +
                       (other_context ? " in another communicator" : ""));
    }
  }
  if (misses.size() > most) misses.resize(most);
  std::string text;
  for (const std::string& miss : misses) text += miss;
  return text;
}

std::string Deadlock::single_wait() const {
  const ActorId actor = actors_.front();
  std::vector<Location> places;
  const std::string text = call_and_line(place(actor, standing_.at(actor), "")) + what(actor) + endings();
  return near_misses(actor, places).empty() ? text : text + rank(actor);  // near misses differ between ranks
}

Finding Deadlock::finding() const {
  Finding finding;
  finding.id = id();
  finding.actors = actors_;
  const std::vector<ActorId> order = in_order_of_waiting();
  for (const ActorId actor : order) finding.locations.push_back(place(actor, standing_.at(actor), what(actor)));
  finding.message = waits_text(order, finding.locations) + endings();
  for (const ActorId actor : order) {
    for (const ThreadPlace& thread : standing_.at(actor).threads)
      finding.locations.push_back(
          place_at(actor, thread.call, thread.at, fmt::format("thread {} waits", thread.number)));
    std::vector<Location> more = starts(actor);
    std::move(more.begin(), more.end(), std::back_inserter(finding.locations));
  }
  for (const ActorId actor : order) finding.message += threads_text(actor);
  for (const ActorId actor : order) finding.message += near_misses(actor, finding.locations);
  if (finding.id == finding_ids::deadlock_cycle) finding.advice = advice();
  const std::vector<ActorId> followers = graph_.followers(actors_);
  if (!followers.empty())
    finding.message += "; " + many_ranks(followers) + (followers.size() == 1 ? " waits" : " wait") + " for " +
                       (actors_.size() == 1 ? "it" : "them") + " in turn";
  return finding;
}

// Ranks that wait alone for the same event at the same place, after the same ranks have ended, are one finding.
std::vector<std::vector<ActorId>> blocked_sets(const Outcome& outcome, const Describe& describe,
                                               const WaitGraph& graph) {
  std::vector<std::vector<ActorId>> sets;
  std::map<std::string, std::size_t> alone;  // by single_wait()
  for (std::vector<ActorId>& actors : graph.minimal_blocked_sets()) {
    if (actors.size() > 1) {
      sets.push_back(std::move(actors));
      continue;
    }
    const auto [at, is_new] = alone.try_emplace(Deadlock(outcome, describe, graph, actors).single_wait(), sets.size());
    if (is_new) sets.push_back(std::move(actors));
    else sets[at->second].push_back(actors.front());
  }
  return sets;
}

}  // namespace

std::vector<Finding> judge_deadlocks(const Outcome& outcome, const Describe& describe) {
  const WaitGraph graph(outcome);
  std::vector<Finding> findings;
  for (std::vector<ActorId>& actors : blocked_sets(outcome, describe, graph))
    findings.push_back(Deadlock(outcome, describe, graph, std::move(actors)).finding());
  return findings;
}

}  // namespace rehearse::properties
