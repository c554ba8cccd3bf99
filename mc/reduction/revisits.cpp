// SPDX-License-Identifier: MIT
//
// The backward half of receives-from exploration: forward alternatives and revisits.
#include <algorithm>

#include "mc/graph/meeting.hpp"
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
        if (may_turn(entry) && next_option(entry)) return true;
        break;
      case Entry::Kind::offer:
        offers_tried_ += entry.candidate < 0 && entry.next != no_event;
        if (may_turn(entry) && next_revisit(trail_.size() - 1)) {
          ++revisits_taken_;
          return true;
        }
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

// Whether the newest entry may try its next alternative; otherwise it is noted if there is one.
bool Matching::may_turn(const Entry& entry) {
  const std::uint32_t before = trail_.size() < 2 ? 0 : trail_[trail_.size() - 2].turns;
  if (before < turns_max_) return true;
  if (left_turns_out_ || !is_open(entry)) return false;
  if (entry.kind == Entry::Kind::choice) {
    left_turns_out_ = true;
  } else if (next_revisit(trail_.size() - 1)) {
    left_turns_out_ = true;
    undo_revisit(trail_.back());
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
  try {
    add_observation(entry.actor, kind, decides, entry.options[entry.next], false);
  } catch (const GivenUp&) {  // the one before is known
    add_observation(entry.actor, kind, decides, entry.options[entry.next - 1], false);
    throw;
  }
  ++entry.next;
  entry.turns = (trail_.size() < 2 ? 0 : trail_[trail_.size() - 2].turns) + 1;
  return true;
}

// How many events of the actor have at most this stamp.
std::uint32_t Matching::count_until(std::uint32_t actor, std::uint32_t stamp) const {
  const std::vector<Event>& events = graph_.actor(actor).events;
  const auto end = std::upper_bound(events.begin(), events.end(), stamp,
                                    [](std::uint32_t s, const Event& e) { return s < e.stamp; });
  return static_cast<std::uint32_t>(end - events.begin());
}

// Who might read the actor's newest event: the receiver of a message, each member of a collective.
std::optional<std::uint32_t> Matching::reader_of(EventRef offered, std::size_t ordinal) const {
  const Operation& operation = graph_.event(offered).node->operation;
  if (const auto* send = std::get_if<Send>(&operation))
    return ordinal == 0 ? std::optional(send->destination.value) : std::nullopt;
  const std::span<const ActorId> members = std::get<Collective>(operation).members;
  return ordinal < members.size() ? std::optional(members[ordinal].value) : std::nullopt;
}

// Whether the option of the reader's observation, with all that it reads, includes the event.
bool Matching::reads(std::uint32_t reader, const Event& observation, const Option& option, EventRef offered) const {
  bool found = false;
  for_each_read(graph_, reader, observation, option, [&](EventRef read) { found = found || read == offered; });
  return found;
}

// The options that the candidate would have had, had the offered event been there: those that read it.
bool Matching::load_candidate(Entry& entry, EventRef offered) {
  const Candidate candidate = candidate_of(entry, offered);
  const Event& event = graph_.actor(candidate.reader).events[candidate.index];
  if (event.option.starved) return false;
  std::vector<std::uint32_t> visible(graph_.actor_count());
  for (std::uint32_t a = 0; a < visible.size(); ++a) {
    if (a == candidate.reader) {
      visible[a] = candidate.index;
      continue;
    }
    // Events of an actor that have the candidate in their past are the last ones.
    const std::size_t count = graph_.actor(a).events.size();
    std::size_t low = 0, high = count;
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      if (graph_.clock({a, static_cast<EventIndex>(middle)})[candidate.reader] > candidate.index)
        high = middle;
      else
        low = middle + 1;
    }
    visible[a] = static_cast<std::uint32_t>(low);
  }
  const View view{candidate.reader, candidate.index, visible};
  options_.enumerate(graph_, view, questions_.of_event(graph_, view, event), entry.options);
  std::erase_if(entry.options,
                [&](const Option& option) { return !reads(candidate.reader, event, option, offered); });
  entry.next = 0;
  return !entry.options.empty();
}

// Whether the entry's event finds anything that it could revisit.
bool Matching::may_revisit(const Entry& entry) const {
  const EventRef offered = newest_of(entry);
  for (std::size_t ordinal = 0; const auto reader = reader_of(offered, ordinal); ++ordinal) {
    const std::vector<EventIndex>& revisitable = graph_.actor(*reader).revisitable;
    if (!revisitable.empty() && revisitable.back() >= graph_.clock(offered)[*reader]) return true;
  }
  return false;
}

EventRef Matching::newest_of(const Entry& entry) const {
  return {entry.actor, static_cast<EventIndex>(graph_.actor(entry.actor).events.size() - 1)};
}

// Throws PathLost if there is no such candidate.
Matching::Candidate Matching::candidate_of(const Entry& entry, EventRef offered) const {
  const auto reader = reader_of(offered, static_cast<std::size_t>(entry.candidate >> 32));
  const auto index = static_cast<std::uint32_t>(entry.candidate);
  if (!reader || index >= graph_.actor(*reader).revisitable.size()) throw PathLost();
  return {*reader, graph_.actor(*reader).revisitable[index]};
}

// Goes on to the next earlier observation, of the next reader when all of one were tried, that could read the offered
// event and is not in its past. False: there are no more.
bool Matching::next_candidate(Entry& entry, EventRef offered) {
  std::uint64_t ordinal = entry.candidate < 0 ? 0 : static_cast<std::uint64_t>(entry.candidate) >> 32;
  bool begins = entry.candidate < 0;
  for (; const auto reader = reader_of(offered, ordinal); ++ordinal, begins = true) {
    const std::vector<EventIndex>& revisitable = graph_.actor(*reader).revisitable;
    const EventIndex past = graph_.clock(offered)[*reader];
    std::size_t index = begins ? revisitable.size() : static_cast<std::uint32_t>(entry.candidate);
    while (index > 0 && revisitable[index - 1] >= past) {
      entry.candidate = static_cast<std::int64_t>(ordinal << 32 | --index);
      if (load_candidate(entry, offered)) return true;
    }
  }
  return false;
}

bool Matching::next_revisit(std::size_t position) {
  Entry& entry = trail_[position];
  if (entry.next == no_event) return false;
  const EventRef offered = newest_of(entry);
  for (;;) {
    while (entry.next < entry.options.size()) {
      const Option option = entry.options[entry.next++];
      try {
        if (try_revisit(offered, candidate_of(entry, offered), option)) return true;
      } catch (const GivenUp&) {
        --entry.next;
        throw;
      }
    }
    if (!next_candidate(entry, offered)) return false;
  }
}

// Whether the observation reads what the scheduler would have given it first, were nothing there but what was added
// before it and the past of the revisiting event.
bool Matching::is_canonical(std::uint32_t actor, EventIndex index, EventRef offered,
                            std::span<const std::uint32_t> past) {
  const Event& event = graph_.actor(actor).events[index];
  if (event.settled) return true;
  if (event.option.starved) return false;
  std::vector<std::uint32_t> visible(graph_.actor_count());
  for (std::uint32_t a = 0; a < visible.size(); ++a) {
    const std::uint32_t kept = a == offered.actor ? std::min(past[a], offered.event) : past[a];
    visible[a] = std::max(count_until(a, event.stamp), kept);
  }
  const View view{actor, index, visible};
  options_.enumerate(graph_, view, questions_.of_event(graph_, view, event), scratch_);
  return !scratch_.empty() && scratch_.front() == event.option;
}

// Whether the revisit may drop all events behind `keep`, and change the revisited one.
bool Matching::droppable(EventRef offered, EventRef revisited, std::span<const std::uint32_t> keep,
                         std::span<const std::uint32_t> past) {
  if (!is_canonical(revisited.actor, revisited.event, offered, past)) return false;
  for (std::uint32_t a = 0; a < graph_.actor_count(); ++a) {
    const std::vector<Event>& events = graph_.actor(a).events;
    for (EventIndex i = keep[a]; i < events.size(); ++i) {
      const Event& event = events[i];
      if (event.early_readers > 0) return false;
      if (event.kind == EventKind::send) {
        if (event.decided_by == no_event) continue;
        if (graph_.event({event.partner.actor, event.decided_by}).stamp < event.stamp) return false;
      } else if (event.kind == EventKind::observe || event.kind == EventKind::decide) {
        if (!is_canonical(a, i, offered, past)) return false;
      }
    }
  }
  return true;
}

bool Matching::try_revisit(EventRef offered, Candidate candidate, const Option& option) {
  const Event& revisited = graph_.actor(candidate.reader).events[candidate.index];
  const std::uint32_t stamp = revisited.stamp;
  std::vector<std::uint32_t> past(graph_.actor_count(), 0), keep(graph_.actor_count());
  for_each_read(graph_, candidate.reader, revisited, option, [&](EventRef read) {
    const std::span<const std::uint32_t> clock = graph_.clock(read);
    for (std::size_t a = 0; a < past.size(); ++a) past[a] = std::max(past[a], clock[a]);
  });
  for (std::uint32_t a = 0; a < keep.size(); ++a) keep[a] = std::max(count_until(a, stamp), past[a]);
  REHEARSE_ASSERT(keep[candidate.reader] == candidate.index + 1, "the revisited event becomes its actor's last");
  if (!droppable(offered, {candidate.reader, candidate.index}, keep, past)) return false;

  std::vector<Graph::Removed> removed;
  const std::uint32_t next_stamp = graph_.next_stamp();
  keep[candidate.reader] = candidate.index;
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
  try {
    add_observation(candidate.reader, old.kind, old.request, option, false);
  } catch (const GivenUp&) {
    put_back(removed, next_stamp);
    throw;
  }
  graph_.actor(candidate.reader).events.back().forced = old.forced;
  graph_.set_next_stamp(next_stamp);
  Entry& revisit = push(Entry::Kind::revisit, candidate.reader);
  revisit.removed = std::move(removed);
  revisit.stamp = next_stamp;
  return true;
}

void Matching::undo_revisit(Entry& entry) {
  graph_.pop(entry.actor);
  put_back(entry.removed, entry.stamp);
}

void Matching::put_back(std::vector<Graph::Removed>& removed, std::uint32_t next_stamp) {
  graph_.set_next_stamp(next_stamp);
  while (!removed.empty()) {
    graph_.put_back(std::move(removed.back()));
    removed.pop_back();
  }
  may_start_.add_all();
  may_settle_.add_all();
  may_observe_.add_all();
}

}  // namespace rehearse::mc
