// SPDX-License-Identifier: MIT
//
// The backward half of receives-from exploration: forward alternatives and revisits.
#include <algorithm>

#include "mc/reduction/receives_from.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::mc {

// Takes the newest event back, or replaces it by its next alternative. False: nothing is left.
bool Matching::backtrack() {
  while (trail_.size() > cut_.floor) {
    Entry& entry = trail_.back();
    switch (entry.kind) {
      case Entry::Kind::plain: break;
      case Entry::Kind::choice:
        if (next_option(entry)) return true;
        break;
      case Entry::Kind::send:
        if (next_revisit(trail_.size() - 1)) return true;
        break;
      case Entry::Kind::revisit:
        undo_revisit(entry);
        trail_.pop_back();
        continue;
    }
    const std::uint32_t actor = trail_.back().actor;
    graph_.set_next_stamp(graph_.actor(actor).events.back().stamp);
    graph_.pop(actor);
    wake(actor);
    trail_.pop_back();
  }
  return false;
}

bool Matching::next_option(Entry& entry) {
  if (entry.next == entry.options.size()) return false;
  const Event& last = graph_.actor(entry.actor).events.back();
  const EventKind kind = last.kind;
  const RequestId decides = last.request;
  graph_.set_next_stamp(last.stamp);
  graph_.pop(entry.actor);
  add_observation(entry.actor, kind, decides, entry.options[entry.next++], false);
  return true;
}

// How many events of the actor have at most this stamp.
std::uint32_t Matching::count_until(std::uint32_t actor, std::uint32_t stamp) const {
  const std::vector<Event>& events = graph_.actor(actor).events;
  const auto end = std::upper_bound(events.begin(), events.end(), stamp,
                                    [](std::uint32_t s, const Event& e) { return s < e.stamp; });
  return static_cast<std::uint32_t>(end - events.begin());
}

// The options that the candidate would have had, had the send been there: those that take it.
bool Matching::load_candidate(Entry& entry, EventRef send) {
  const Send& message = graph_.send_of(send);
  const std::uint32_t receiver = message.destination.value;
  const EventIndex index = graph_.actor(receiver).revisitable[static_cast<std::size_t>(entry.candidate)];
  const Event& event = graph_.actor(receiver).events[index];
  if (event.option.starved) return false;
  std::vector<std::uint32_t> visible(graph_.actor_count());
  for (std::uint32_t a = 0; a < visible.size(); ++a) {
    if (a == receiver) {
      visible[a] = index;
      continue;
    }
    // Events of an actor that have the candidate in their past are the last ones.
    const std::size_t count = graph_.actor(a).events.size();
    std::size_t low = 0, high = count;
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      if (graph_.clock({a, static_cast<EventIndex>(middle)})[receiver] > index)
        high = middle;
      else
        low = middle + 1;
    }
    visible[a] = static_cast<std::uint32_t>(low);
  }
  const View view{receiver, index, visible};
  options_.enumerate(graph_, view, questions_.of_event(graph_, view, event), entry.options);
  std::erase_if(entry.options, [send](const Option& o) {
    return o.seen != send &&
           std::none_of(o.matches.begin(), o.matches.end(), [send](const Match& m) { return m.send == send; });
  });
  entry.next = 0;
  return !entry.options.empty();
}

// Whether the actor's newest event, a send, finds anything that it could revisit.
bool Matching::may_revisit(std::uint32_t actor) const {
  const EventRef send{actor, static_cast<EventIndex>(graph_.actor(actor).events.size() - 1)};
  const std::uint32_t receiver = graph_.send_of(send).destination.value;
  const std::vector<EventIndex>& revisitable = graph_.actor(receiver).revisitable;
  return !revisitable.empty() && revisitable.back() >= graph_.clock(send)[receiver];
}

bool Matching::next_revisit(std::size_t position) {
  const std::uint32_t source = trail_[position].actor;
  const EventRef send{source, static_cast<EventIndex>(graph_.actor(source).events.size() - 1)};
  const std::uint32_t receiver = graph_.send_of(send).destination.value;
  if (trail_[position].candidate < 0) {
    if (trail_[position].next == no_event) return false;
    trail_[position].candidate = static_cast<std::int64_t>(graph_.actor(receiver).revisitable.size());
    trail_[position].options.clear();
    trail_[position].next = 0;
  }
  const EventIndex past = graph_.clock(send)[receiver];
  for (;;) {
    const std::vector<EventIndex>& revisitable = graph_.actor(receiver).revisitable;
    while (trail_[position].next < trail_[position].options.size()) {
      const Option option = trail_[position].options[trail_[position].next++];
      if (try_revisit(send, revisitable[static_cast<std::size_t>(trail_[position].candidate)], option)) return true;
    }
    do {
      --trail_[position].candidate;
      if (trail_[position].candidate < 0 ||
          revisitable[static_cast<std::size_t>(trail_[position].candidate)] < past) {
        trail_[position].candidate = -1;
        trail_[position].next = no_event;
        return false;
      }
    } while (!load_candidate(trail_[position], send));
  }
}

// Whether the observation reads what the scheduler would have given it first, were nothing there but what was added
// before it and the past of the revisiting send.
bool Matching::is_canonical(std::uint32_t actor, EventIndex index, EventRef send,
                            std::span<const std::uint32_t> past) {
  const Event& event = graph_.actor(actor).events[index];
  if (event.settled) return true;
  if (event.option.starved) return false;
  std::vector<std::uint32_t> visible(graph_.actor_count());
  for (std::uint32_t a = 0; a < visible.size(); ++a) {
    const std::uint32_t kept = a == send.actor ? std::min(past[a], send.event) : past[a];
    visible[a] = std::max(count_until(a, event.stamp), kept);
  }
  const View view{actor, index, visible};
  options_.enumerate(graph_, view, questions_.of_event(graph_, view, event), scratch_);
  return !scratch_.empty() && scratch_.front() == event.option;
}

// Whether the revisit may drop all events behind `keep`, and change the revisited one.
bool Matching::droppable(EventRef send, EventRef revisited, std::span<const std::uint32_t> keep,
                         std::span<const std::uint32_t> past) {
  if (!is_canonical(revisited.actor, revisited.event, send, past)) return false;
  for (std::uint32_t a = 0; a < graph_.actor_count(); ++a) {
    const std::vector<Event>& events = graph_.actor(a).events;
    for (EventIndex i = keep[a]; i < events.size(); ++i) {
      const Event& event = events[i];
      if (event.kind == EventKind::send) {
        if (event.early_probes > 0) return false;
        if (event.decided_by == no_event) continue;
        if (graph_.event({event.partner.actor, event.decided_by}).stamp < event.stamp) return false;
      } else if (event.kind == EventKind::observe || event.kind == EventKind::decide) {
        if (!is_canonical(a, i, send, past)) return false;
      }
    }
  }
  return true;
}

bool Matching::try_revisit(EventRef send, EventIndex candidate, const Option& option) {
  const std::uint32_t receiver = graph_.send_of(send).destination.value;
  const std::uint32_t stamp = graph_.actor(receiver).events[candidate].stamp;
  std::vector<std::uint32_t> past(graph_.actor_count(), 0), keep(graph_.actor_count());
  const auto join = [&](EventRef e) {
    const std::span<const std::uint32_t> clock = graph_.clock(e);
    for (std::size_t a = 0; a < past.size(); ++a) past[a] = std::max(past[a], clock[a]);
  };
  for (const Match& m : option.matches) join(m.send);
  if (option.seen.event != no_event) join(option.seen);
  for (std::uint32_t a = 0; a < keep.size(); ++a) keep[a] = std::max(count_until(a, stamp), past[a]);
  REHEARSE_ASSERT(keep[receiver] == candidate + 1, "the revisited event becomes its actor's last");
  if (!droppable(send, {receiver, candidate}, keep, past)) return false;

  std::vector<Graph::Removed> removed;
  const std::uint32_t next_stamp = graph_.next_stamp();
  keep[receiver] = candidate;
  for (;;) {  // newest first
    std::uint32_t newest = graph_.actor_count();
    for (std::uint32_t a = 0; a < graph_.actor_count(); ++a) {
      const std::vector<Event>& events = graph_.actor(a).events;
      if (events.size() == keep[a]) continue;
      if (newest == graph_.actor_count() || events.back().stamp > graph_.actor(newest).events.back().stamp)
        newest = a;
    }
    if (newest == graph_.actor_count()) break;
    removed.push_back(graph_.remove_last(newest));
    wake(newest);
  }
  const Event old = removed.back().event;  // of the revisited one, which has the oldest stamp
  graph_.set_next_stamp(stamp);
  add_observation(receiver, old.kind, old.request, option, false);
  graph_.actor(receiver).events.back().forced = old.forced;
  graph_.set_next_stamp(next_stamp);
  Entry& revisit = push(Entry::Kind::revisit, receiver);
  revisit.removed = std::move(removed);
  revisit.stamp = next_stamp;
  return true;
}

void Matching::undo_revisit(Entry& entry) {
  graph_.pop(entry.actor);
  graph_.set_next_stamp(entry.stamp);
  while (!entry.removed.empty()) {
    graph_.put_back(std::move(entry.removed.back()));
    entry.removed.pop_back();
  }
  may_start_.add_all();
  may_settle_.add_all();
  may_observe_.add_all();
}

}  // namespace rehearse::mc
