// SPDX-License-Identifier: MIT
//
// The part of the replay that chooses which standard sends wait (Policy::mixed).
//
// A choice matters only where it stops an actor for ever: if a send that waits is matched in the end, the replay stops
// at the same place as if the send were buffered. So choices are made when nothing else can happen, and one with a
// waiting send that is matched later is given up.
#include <algorithm>

#include "mc/buffering/policy_replay.hpp"

namespace rehearse::mc::buffering {

using graph::Event;
using graph::EventKind;

// A standard send that is neither matched nor decided on. A send in ready mode ends as a standard one does.
bool PolicyReplay::is_open_send(EventRef started) const {
  if (graph_->event(started).kind != EventKind::send) return false;
  const SendMode mode = graph_->send_of(started).mode;
  return (mode == SendMode::standard || mode == SendMode::ready) && !fired_[started.actor][started.event] &&
         !buffered_.contains(started) && std::ranges::find(held_, started) == held_.end();
}

std::optional<PolicyReplay::Stop> PolicyReplay::next_stop() const {
  for (std::uint32_t a = 0; a < graph_->actor_count(); ++a)
    if (std::optional<Stop> stop = stop_of(a)) return stop;
  return std::nullopt;
}

std::optional<PolicyReplay::Stop> PolicyReplay::stop_of(std::uint32_t actor) const {
  const std::vector<Event>& events = graph_->actor(actor).events;
  const EventIndex at = state_.at[actor];
  if (at >= events.size()) return std::nullopt;
  Stop stop;
  if (events[at].kind == EventKind::send) {
    if (is_open_send({actor, at})) stop.sends.push_back({actor, at});
  } else if (const auto* observe = std::get_if<Observe>(&events[at].node->operation)) {
    stop = stop_at(actor, events[at], *observe);
  }
  return stop.sends.empty() ? std::nullopt : std::optional(std::move(stop));
}

// Of a wait for all, one send is enough to stay, and only if nothing else is missing. A wait for some, or a poll, needs
// those of the answer that it got in the execution; a poll never stays.
PolicyReplay::Stop PolicyReplay::stop_at(std::uint32_t actor, const Event& event, const Observe& observe) const {
  const bool for_all = observe.quantifier == Quantifier::all;
  Stop stop;
  stop.may_stay = observe.blocking;
  if (event.option.starved || (!observe.blocking && !event.option.flag)) return stop;
  const auto add = [&](RequestId request) {
    const EventRef started{actor, graph_->actor(actor).requests[request.value]};
    if (is_open_send(started)) stop.sends.push_back(started);
    return is_open_send(started) || request_complete(actor, request);
  };
  bool is_enough = true;
  if (for_all)
    for (const RequestId request : observe.requests) is_enough = add(request) && is_enough;
  else
    for (const std::uint32_t i : event.option.completed) is_enough = add(observe.requests[i]) && is_enough;
  if (!is_enough) stop.sends.clear();
  if (for_all && observe.blocking && stop.sends.size() > 1) stop.sends.resize(1);
  return stop;
}

// Follows the choice that the sends wait, and comes back to the state before.
void PolicyReplay::hold(const Stop& stop, const Visitor& visit) {
  if (++choices_ > most_choices) return;
  const State before = state_;
  const std::size_t matched = matches_.size(), held = held_.size();
  held_.insert(held_.end(), stop.sends.begin(), stop.sends.end());
  explore_rest(visit);
  while (matches_.size() > matched) mark(matches_.back().first, matches_.back().second, false);
  state_ = before;
  held_.resize(held);
}

bool PolicyReplay::holds_matched_send() const {
  return std::ranges::any_of(held_, [this](EventRef send) { return fired_[send.actor][send.event] != 0; });
}

// The sends without which no actor would stay: those that were decided to wait, and all in a wait for some that stays.
std::vector<EventRef> PolicyReplay::waiting_sends() const {
  std::vector<EventRef> waiting = held_;
  for (std::uint32_t a = 0; a < graph_->actor_count(); ++a) {
    const std::vector<Event>& events = graph_->actor(a).events;
    if (state_.at[a] >= events.size()) continue;
    const auto* observe = std::get_if<Observe>(&events[state_.at[a]].node->operation);
    if (observe == nullptr || observe->quantifier == Quantifier::all) continue;
    for (const RequestId request : observe->requests)
      if (const EventRef started{a, graph_->actor(a).requests[request.value]}; is_open_send(started))
        waiting.push_back(started);
  }
  return waiting;
}

}  // namespace rehearse::mc::buffering
