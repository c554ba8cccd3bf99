// SPDX-License-Identifier: MIT
//
// Adding and removing events of an execution graph.
#include "mc/graph/graph.hpp"

#include <algorithm>

#include "mc/graph/collective_instance.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::mc::graph {

using history::Hash128;

namespace {

std::uint64_t name_of(const Graph& graph, EventRef send) {
  return std::uint64_t{send.actor} << 32 | graph.event(send).request.value;
}

// Calls visit(request) for each request that the observation saw complete.
template <class Visit>
void for_each_observed(const Event& observation, Visit&& visit) {
  if (observation.kind != EventKind::observe || !observation.option.flag || observation.option.starved) return;
  if (const auto* post = std::get_if<Post>(&observation.node->operation)) return visit(post->request);
  const auto* observe = std::get_if<Observe>(&observation.node->operation);
  if (!observe) return;
  if (observe->quantifier == Quantifier::all)
    for (const RequestId r : observe->requests) visit(r);
  else
    for (const std::uint32_t i : observation.option.completed) visit(observe->requests[i]);
}

// The hash of an actor's history after a step without an observation.
Hash128 after_step(const Hash128& before) { return {before.low + 0x9e3779b97f4a7c15u, before.high}; }

Hash128 after_observation(const Graph& graph, std::uint32_t actor, const Event& event, const Hash128& before) {
  boost::container::small_vector<std::uint64_t, 16> words{before.low, before.high, event.option.flag};
  if (event.option.flag && !event.option.starved) {
    if (std::holds_alternative<Choose>(event.node->operation)) words.push_back(event.option.completed.front());
    else if (std::holds_alternative<Probe>(event.node->operation)) words.push_back(name_of(graph, event.option.probed));
    const auto* observe = std::get_if<Observe>(&event.node->operation);
    if (observe && observe->quantifier != Quantifier::all)
      words.insert(words.end(), event.option.completed.begin(), event.option.completed.end());
    const Graph::Actor& a = graph.actor(actor);
    for_each_observed(event, [&](RequestId request) {
      const Event& started = a.events[a.requests[request.value]];
      if (started.kind == EventKind::post) words.push_back(name_of(graph, started.partner));
    });
  }
  return history::hash_bytes(words.data(), words.size() * sizeof words[0]);
}

}  // namespace

Graph::Graph(std::uint32_t actors) : actors_(actors) {
  for (Actor& a : actors_) {
    a.inbox.resize(actors);
    a.open_inbox.resize(actors);
  }
}

// Sets the clock of the actor's last event to that of the event before, with itself added.
void Graph::reset_clock(std::uint32_t actor) {
  Actor& a = actors_[actor];
  const std::size_t width = actors_.size();
  const std::size_t last = a.events.size() - 1;
  std::uint32_t* clock = a.clocks.data() + last * width;
  if (last > 0) std::copy_n(clock - width, width, clock);
  else std::fill_n(clock, width, 0);
  clock[actor] = static_cast<std::uint32_t>(last + 1);
}

void Graph::append(std::uint32_t actor, EventKind kind, RequestId decides, bool settled) {
  Actor& a = actors_[actor];
  const Hash128 before = a.events.empty() ? Hash128{actor, 0} : a.events.back().history;
  Event& event = a.events.emplace_back();
  event.kind = kind;
  event.request = decides;
  event.settled = settled;
  event.issued_before = a.issued;
  event.stamp = next_stamp_++;
  event.node = a.node;
  event.history = kind == EventKind::decide ? before : after_step(before);
  a.clocks.resize(a.events.size() * actors_.size());
  reset_clock(actor);
}

void Graph::join(std::uint32_t actor, EventRef past) {
  Actor& a = actors_[actor];
  std::uint32_t* mine = a.clocks.data() + (a.events.size() - 1) * actors_.size();
  const std::span<const std::uint32_t> theirs = clock(past);
  for (std::size_t i = 0; i < actors_.size(); ++i) mine[i] = std::max(mine[i], theirs[i]);
}

void Graph::join(std::uint32_t actor, const CollectiveInstance& instance) {
  Actor& a = actors_[actor];
  if (instance.past.empty()) {
    instance.past.assign(actors_.size(), 0);
    for (std::uint32_t other = 0; other < actors_.size(); ++other) {
      if (instance.arrivals[other] == no_event) continue;
      const std::span<const std::uint32_t> theirs = clock({other, instance.arrivals[other]});
      for (std::size_t i = 0; i < actors_.size(); ++i) instance.past[i] = std::max(instance.past[i], theirs[i]);
    }
  }
  std::uint32_t* mine = a.clocks.data() + (a.events.size() - 1) * actors_.size();
  for (std::size_t i = 0; i < actors_.size(); ++i) mine[i] = std::max(mine[i], instance.past[i]);
}

void Graph::count_send(const Send& send, std::uint32_t by) {
  tally_.sends += by;
  if (send.mode == SendMode::synchronous) tally_.synchronous_sends += by;
  if (send.mode == SendMode::ready) tally_.ready_sends += by;
  if (send.mode != SendMode::synchronous && send.mode != SendMode::buffered) tally_.standard_sends += by;
}

void Graph::count_unobserved(EventRef receive, EventRef send, bool added) {
  const std::uint64_t words[] = {receive.actor, event(receive).request.value, name_of(*this, send)};
  const Hash128 h = history::hash_bytes(words, sizeof words);
  tally_.unobserved.low += added ? h.low : -h.low;
  tally_.unobserved.high += added ? h.high : -h.high;
}

void Graph::count_observed(std::uint32_t actor, const Event& observation, bool added) {
  const Actor& a = actors_[actor];
  for_each_observed(observation, [&](RequestId request) {
    const EventIndex started = a.requests[request.value];
    const auto* post = std::get_if<Post>(&a.events[started].node->operation);
    if (a.events[started].kind == EventKind::post && !post->taken)
      count_unobserved({actor, started}, a.events[started].partner, !added);
  });
}

void Graph::register_send(std::uint32_t actor, const Send& send) {
  Actor& a = actors_[actor];
  a.events.back().request = send.request;
  REHEARSE_ASSERT(send.request.value == a.requests.size(), "requests are numbered in the order of their start");
  const EventIndex index = static_cast<EventIndex>(a.events.size() - 1);
  a.requests.push_back(index);
  actors_[send.destination.value].inbox[actor].push_back(index);
  actors_[send.destination.value].open_inbox[actor].add(index);
  count_send(send, 1);
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
    a.open_posts.add(index);
    return;
  }
  const EventIndex taking = a.takes[*post.taken];
  Event& event = a.events.back();
  event.partner = a.events[taking].option.probed;
  event.decided_by = taking;
  mutable_event(event.partner).partner = {actor, index};
  ++tally_.matched;
}

EventIndex Graph::withdrawn_by(std::uint32_t actor, const Event& observation) const {
  const auto* observe = std::get_if<Observe>(&observation.node->operation);
  if (observation.kind != EventKind::observe || !observe || !observe->withdraws || observation.option.flag)
    return no_event;
  return actors_[actor].requests[observe->requests.front().value];
}

void Graph::register_arrival(std::uint32_t actor, const Collective& collective) {
  Actor& a = actors_[actor];
  Event& event = a.events.back();
  event.request = collective.request;
  REHEARSE_ASSERT(collective.request.value == a.requests.size(), "requests are numbered in the order of their start");
  const EventIndex index = static_cast<EventIndex>(a.events.size() - 1);
  a.requests.push_back(index);
  Context& context = contexts_[collective.context];
  context.counts.resize(actors_.size());
  const std::uint32_t number = context.counts[actor]++;
  if (number == context.instances.size()) {
    CollectiveInstance& fresh = context.instances.emplace_back();
    fresh.context = collective.context;
    fresh.number = instance_count_++;
    fresh.arrivals.assign(actors_.size(), no_event);
  }
  CollectiveInstance& instance = context.instances[number];
  instance.arrivals[actor] = index;
  ++instance.arrived;
  instance.past.clear();
  event.instance = &instance;
  if (!needs_everybody(collective)) ++tally_.partial_arrivals;
}

void Graph::leave_instance(std::uint32_t actor) {
  const Collective& collective = std::get<Collective>(actors_[actor].events.back().node->operation);
  Context& context = contexts_[collective.context];
  CollectiveInstance& instance = context.instances[--context.counts[actor]];
  instance.arrivals[actor] = no_event;
  --instance.arrived;
  instance.past.clear();
  if (!needs_everybody(collective)) --tally_.partial_arrivals;
}

void Graph::match(EventRef receive, EventRef send) {
  mutable_event(receive).partner = send;
  mutable_event(send).partner = receive;
  actors_[receive.actor].open_posts.erase(receive.event);
  actors_[receive.actor].open_inbox[send.actor].erase(send.event);
}

void Graph::unmatch(EventRef receive, EventRef send) {
  mutable_event(receive).partner = mutable_event(send).partner = {};
  actors_[receive.actor].open_posts.insert(receive.event);
  actors_[receive.actor].open_inbox[send.actor].insert(send.event);
}

// The actor's last event decides that `partner` takes the message.
void Graph::settle_send(std::uint32_t actor, EventRef send, EventRef partner) {
  Actor& a = actors_[actor];
  Event& event = mutable_event(send);
  event.partner = partner;
  event.decided_by = static_cast<EventIndex>(a.events.size() - 1);
  a.open_inbox[send.actor].erase(send.event);
  if (event.probed_by != no_event) --a.open_probed;
}

void Graph::unsettle_send(std::uint32_t actor, EventRef send) {
  Actor& a = actors_[actor];
  Event& event = mutable_event(send);
  event.partner = {};
  event.decided_by = no_event;
  a.open_inbox[send.actor].insert(send.event);
  if (event.probed_by != no_event) ++a.open_probed;
}

// The actor's last event is a probe that reports the message.
void Graph::mark_probed(std::uint32_t actor, EventRef send) {
  Actor& a = actors_[actor];
  Event& event = mutable_event(send);
  if (event.probed_by != no_event) return;
  event.probed_by = static_cast<EventIndex>(a.events.size() - 1);
  ++a.probed;
  if (event.decided_by == no_event) ++a.open_probed;
}

void Graph::unmark_probed(std::uint32_t actor, EventRef send) {
  Actor& a = actors_[actor];
  Event& event = mutable_event(send);
  if (event.probed_by != a.events.size() - 1) return;
  event.probed_by = no_event;
  --a.probed;
  if (event.decided_by == no_event) --a.open_probed;
}

void Graph::settle_matches(std::uint32_t actor) {
  Actor& a = actors_[actor];
  const EventIndex self = static_cast<EventIndex>(a.events.size() - 1);
  for (const Match& m : a.events.back().option.matches) {
    Event& send = mutable_event(m.send);
    Event& post = a.events[m.post];
    REHEARSE_ASSERT(send.decided_by == no_event && post.decided_by == no_event, "a match is decided once");
    settle_send(actor, m.send, {actor, m.post});
    post.partner = m.send;
    post.decided_by = self;
    a.open_posts.erase(m.post);
    ++tally_.matched;
    count_unobserved({actor, m.post}, m.send, true);
    join(actor, m.send);
  }
}

void Graph::unsettle_matches(std::uint32_t actor) {
  Actor& a = actors_[actor];
  for (const Match& m : a.events.back().option.matches) {
    Event& post = a.events[m.post];
    count_unobserved({actor, m.post}, m.send, false);
    unsettle_send(actor, m.send);
    post.partner = {};
    post.decided_by = no_event;
    a.open_posts.insert(m.post);
    --tally_.matched;
  }
}

bool Graph::asks_about_collective(std::uint32_t actor, const Event& observation) const {
  const auto* observe = std::get_if<Observe>(&observation.node->operation);
  const Actor& a = actors_[actor];
  return observe && observation.kind == EventKind::observe &&
         std::any_of(observe->requests.begin(), observe->requests.end(),
                     [&a](RequestId request) { return a.events[a.requests[request.value]].kind == EventKind::arrive; });
}

// Probes and observations of collectives record their readers here only; a receive has its message as partner.
void Graph::count_early_readers(std::uint32_t actor, const Event& observation, bool added) {
  const auto count = [&](EventRef read) {
    Event& event = mutable_event(read);
    if (event.stamp > observation.stamp) event.early_readers += added ? 1 : -1;
  };
  if (observation.option.probed.event != no_event) count(observation.option.probed);
  for_each_awaited_arrival(*this, actor, observation, observation.option, count);
}

void Graph::set_option(std::uint32_t actor, Option option) {
  Actor& a = actors_[actor];
  const EventIndex self = static_cast<EventIndex>(a.events.size() - 1);
  Event& event = a.events.back();
  event.option = std::move(option);
  settle_matches(actor);
  const EventRef probed = event.option.probed;
  if (probed.event != no_event) {
    join(actor, probed);
    if (std::get<Probe>(event.node->operation).takes) {
      settle_send(actor, probed, {actor, no_event});
      a.takes.push_back(self);
    }
    mark_probed(actor, probed);
  }
  if (!event.settled) {
    tally_.collective_questions += asks_about_collective(actor, event);
    count_early_readers(actor, event, true);
  }
  const EventIndex withdrawn = withdrawn_by(actor, event);
  if (withdrawn != no_event) {
    a.events[withdrawn].decided_by = self;
    a.open_posts.erase(withdrawn);
  }
  if (!event.settled) a.revisitable.push_back(self);
  tally_.starved += event.option.starved;
  if (event.kind != EventKind::observe) return;
  count_observed(actor, event, true);
  event.history = after_observation(*this, actor, event, event.history);
}

void Graph::clear_option(std::uint32_t actor) {
  Actor& a = actors_[actor];
  Event& event = a.events.back();
  if (event.kind == EventKind::observe) count_observed(actor, event, false);
  tally_.starved -= event.option.starved;
  if (!event.settled) {
    a.revisitable.pop_back();
    tally_.collective_questions -= asks_about_collective(actor, event);
    count_early_readers(actor, event, false);
  }
  const EventIndex withdrawn = withdrawn_by(actor, event);
  if (withdrawn != no_event) {
    a.events[withdrawn].decided_by = no_event;
    a.open_posts.insert(withdrawn);
  }
  const EventRef probed = event.option.probed;
  if (probed.event != no_event) {
    unmark_probed(actor, probed);
    if (std::get<Probe>(event.node->operation).takes) {
      unsettle_send(actor, probed);
      a.takes.pop_back();
    }
  }
  unsettle_matches(actor);
}

void Graph::pop(std::uint32_t actor) {
  Actor& a = actors_[actor];
  Event& last = a.events.back();
  a.node = last.node;
  a.issued = last.issued_before;
  switch (last.kind) {
    case EventKind::send: {
      REHEARSE_ASSERT(last.decided_by == no_event, "a removed send is not read");
      const Send& send = std::get<Send>(last.node->operation);
      actors_[send.destination.value].inbox[actor].pop_back();
      actors_[send.destination.value].open_inbox[actor].remove_last();
      a.requests.pop_back();
      count_send(send, -1u);
      break;
    }
    case EventKind::post:
      if (std::get<Post>(last.node->operation).taken) {
        mutable_event(last.partner).partner.event = no_event;
        --tally_.matched;
      } else {
        a.posts.pop_back();
        a.open_posts.remove_last();
      }
      a.requests.pop_back();
      break;
    case EventKind::arrive:
      leave_instance(actor);
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
  const Hash128 before = a.events.back().history;
  Option option = std::move(removed.event.option);
  removed.event.option = {};
  removed.event.partner = {};
  removed.event.decided_by = removed.event.probed_by = no_event;
  a.events.back() = std::move(removed.event);
  a.events.back().history = before;
  const Operation& operation = a.events.back().node->operation;
  switch (a.events.back().kind) {
    case EventKind::send: register_send(removed.actor, std::get<Send>(operation)); break;
    case EventKind::post: register_post(removed.actor); break;
    case EventKind::arrive: register_arrival(removed.actor, std::get<Collective>(operation)); break;
    case EventKind::decide:
    case EventKind::observe: set_option(removed.actor, std::move(option)); break;
  }
  std::copy(removed.clock.begin(), removed.clock.end(), a.clocks.end() - static_cast<std::ptrdiff_t>(actors_.size()));
  a.node = removed.node_after;
  a.issued = removed.issued_after;
}

}  // namespace rehearse::mc::graph
