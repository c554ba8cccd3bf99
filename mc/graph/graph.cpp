// SPDX-License-Identifier: MIT
//
// Adding and removing events of an execution graph.
#include "mc/graph/graph.hpp"

#include <algorithm>

#include "simcore/support/assert.hpp"

namespace rehearse::mc {

Graph::Graph(std::uint32_t actors) : actors_(actors) {
  for (Actor& a : actors_) a.inbox.resize(actors);
}

// Program order: the clock of the event before, and itself.
void Graph::reset_clock(std::uint32_t actor) {
  Actor& a = actors_[actor];
  const std::size_t width = actors_.size();
  const std::size_t last = a.events.size() - 1;
  std::uint32_t* clock = a.clocks.data() + last * width;
  if (last > 0)
    std::copy_n(clock - width, width, clock);
  else
    std::fill_n(clock, width, 0);
  clock[actor] = static_cast<std::uint32_t>(last + 1);
}

Event& Graph::append(std::uint32_t actor, EventKind kind) {
  Actor& a = actors_[actor];
  Event& event = a.events.emplace_back();
  event.kind = kind;
  event.issued_before = a.issued;
  event.stamp = next_stamp_++;
  event.node = a.node;
  a.clocks.resize(a.events.size() * actors_.size());
  reset_clock(actor);
  return event;
}

void Graph::join(std::uint32_t actor, EventRef past) {
  Actor& a = actors_[actor];
  std::uint32_t* mine = a.clocks.data() + (a.events.size() - 1) * actors_.size();
  const std::span<const std::uint32_t> theirs = clock(past);
  for (std::size_t i = 0; i < actors_.size(); ++i) mine[i] = std::max(mine[i], theirs[i]);
}

void Graph::register_send(std::uint32_t actor, const Send& send) {
  Actor& a = actors_[actor];
  a.events.back().request = send.request;
  REHEARSE_ASSERT(send.request.value == a.requests.size(), "requests are numbered in the order of their start");
  const EventIndex index = static_cast<EventIndex>(a.events.size() - 1);
  a.requests.push_back(index);
  actors_[send.destination.value].inbox[actor].push_back(index);
}

void Graph::register_post(std::uint32_t actor) {
  Actor& a = actors_[actor];
  const Post& post = std::get<Post>(a.events.back().node->operation);
  a.events.back().request = post.request;
  REHEARSE_ASSERT(post.request.value == a.requests.size(), "requests are numbered in the order of their start");
  const EventIndex index = static_cast<EventIndex>(a.events.size() - 1);
  a.requests.push_back(index);
  if (!post.taken) {
    a.posts.push_back(index);
    return;
  }
  const EventIndex taking = a.takes[*post.taken];
  Event& event = a.events.back();
  event.partner = a.events[taking].option.seen;
  event.decided_by = taking;
  this->event(event.partner).partner = {actor, index};
}

EventIndex Graph::withdrawn_by(std::uint32_t actor, const Event& observation) const {
  const auto* observe = std::get_if<Observe>(&observation.node->operation);
  if (observation.kind != EventKind::observe || !observe || !observe->withdraws || observation.option.flag)
    return no_event;
  return actors_[actor].requests[observe->requests.front().value];
}

void Graph::register_arrival(std::uint32_t actor, const Collective& collective) {
  Actor& a = actors_[actor];
  a.events.back().request = collective.request;
  REHEARSE_ASSERT(collective.request.value == a.requests.size(), "requests are numbered in the order of their start");
  const EventIndex index = static_cast<EventIndex>(a.events.size() - 1);
  a.requests.push_back(index);
  a.arrivals[collective.context].push_back(index);
}

void Graph::set_option(std::uint32_t actor, Option option) {
  Actor& a = actors_[actor];
  const EventIndex self = static_cast<EventIndex>(a.events.size() - 1);
  for (const Match& m : option.matches) {
    Event& send = event(m.send);
    Event& post = a.events[m.post];
    REHEARSE_ASSERT(send.decided_by == no_event && post.decided_by == no_event, "a match is decided once");
    send.partner = {actor, m.post};
    post.partner = m.send;
    send.decided_by = post.decided_by = self;
    join(actor, m.send);
  }
  if (option.seen.event != no_event) {
    join(actor, option.seen);
    if (event(option.seen).stamp > a.events.back().stamp) ++event(option.seen).early_probes;
    if (std::get<Probe>(a.events.back().node->operation).takes) {
      event(option.seen).partner = {actor, no_event};
      event(option.seen).decided_by = self;
      a.takes.push_back(self);
    }
  }
  a.events.back().option = std::move(option);
  const EventIndex withdrawn = withdrawn_by(actor, a.events.back());
  if (withdrawn != no_event) a.events[withdrawn].decided_by = self;
}

void Graph::clear_option(std::uint32_t actor) {
  Actor& a = actors_[actor];
  const EventIndex withdrawn = withdrawn_by(actor, a.events.back());
  if (withdrawn != no_event) a.events[withdrawn].decided_by = no_event;
  for (const Match& m : a.events.back().option.matches) {
    Event& send = event(m.send);
    Event& post = a.events[m.post];
    send.partner = post.partner = {};
    send.decided_by = post.decided_by = no_event;
  }
  const EventRef seen = a.events.back().option.seen;
  if (seen.event != no_event && event(seen).stamp > a.events.back().stamp) --event(seen).early_probes;
  if (seen.event != no_event && std::get<Probe>(a.events.back().node->operation).takes) {
    event(seen).partner = {};
    event(seen).decided_by = no_event;
    a.takes.pop_back();
  }
  a.events.back().option = {};
  reset_clock(actor);
}

void Graph::pop(std::uint32_t actor) {
  Actor& a = actors_[actor];
  Event& last = a.events.back();
  a.node = last.node;
  a.issued = last.issued_before;
  switch (last.kind) {
    case EventKind::send: {
      REHEARSE_ASSERT(last.decided_by == no_event, "a removed send is not read");
      actors_[std::get<Send>(last.node->operation).destination.value].inbox[actor].pop_back();
      a.requests.pop_back();
      break;
    }
    case EventKind::post:
      if (std::get<Post>(last.node->operation).taken)
        event(last.partner).partner.event = no_event;
      else
        a.posts.pop_back();
      a.requests.pop_back();
      break;
    case EventKind::arrive:
      a.arrivals[std::get<Collective>(last.node->operation).context].pop_back();
      a.requests.pop_back();
      break;
    case EventKind::decide:
    case EventKind::observe: clear_option(actor); break;
  }
  a.events.pop_back();
  a.clocks.resize(a.events.size() * actors_.size());
}

Graph::Removed Graph::remove_last(std::uint32_t actor) {
  Actor& a = actors_[actor];
  Removed removed{actor, a.events.back(), {}, a.node, a.issued};
  const std::span<const std::uint32_t> c = clock({actor, static_cast<EventIndex>(a.events.size() - 1)});
  removed.clock.assign(c.begin(), c.end());
  pop(actor);
  return removed;
}

void Graph::put_back(Removed removed) {
  Actor& a = actors_[removed.actor];
  const std::uint32_t stamp = next_stamp_;
  append(removed.actor, removed.event.kind);
  next_stamp_ = stamp;
  Option option = std::move(removed.event.option);
  removed.event.option = {};
  removed.event.partner = {};
  removed.event.decided_by = no_event;
  a.events.back() = std::move(removed.event);
  const Operation& operation = a.events.back().node->operation;
  switch (a.events.back().kind) {
    case EventKind::send: register_send(removed.actor, std::get<Send>(operation)); break;
    case EventKind::post: register_post(removed.actor); break;
    case EventKind::arrive: register_arrival(removed.actor, std::get<Collective>(operation)); break;
    case EventKind::decide:
    case EventKind::observe: set_option(removed.actor, std::move(option)); break;
  }
  std::copy(removed.clock.begin(), removed.clock.end(),
            a.clocks.end() - static_cast<std::ptrdiff_t>(actors_.size()));
  a.node = removed.node_after;
  a.issued = removed.issued_after;
}

}  // namespace rehearse::mc
