// SPDX-License-Identifier: MIT
//
// Candidates, and the condition for a revisit.
#include "mc/reduction/revisits.hpp"

#include <algorithm>

#include "mc/graph/collective_instance.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::mc::reduction {

using graph::Event;
using graph::EventIndex;
using graph::Option;

// The number of events of the actor with at most this stamp.
std::uint32_t Revisits::count_until(std::uint32_t actor, std::uint32_t stamp) const {
  const std::vector<Event>& events = graph().actor(actor).events;
  const auto end = std::upper_bound(events.begin(), events.end(), stamp,
                                    [](std::uint32_t s, const Event& e) { return s < e.stamp; });
  return static_cast<std::uint32_t>(end - events.begin());
}

// The actors that may read the offered event, by index: the receiver of a message, each member of a collective.
std::optional<std::uint32_t> Revisits::reader_of(EventRef offered, std::size_t ordinal) const {
  const Operation& operation = graph().event(offered).node->operation;
  if (const auto* send = std::get_if<Send>(&operation))
    return ordinal == 0 ? std::optional(send->destination.value) : std::nullopt;
  const std::span<const ActorId> members = std::get<Collective>(operation).members;
  return ordinal < members.size() ? std::optional(members[ordinal].value) : std::nullopt;
}

// Whether the reader's observation reads the offered event with this option.
bool Revisits::reads(std::uint32_t reader, const Event& observation, const Option& option, EventRef offered) const {
  bool found = false;
  graph::for_each_read(graph(), reader, observation, option, [&](EventRef read) { found = found || read == offered; });
  return found;
}

// The options that the candidate would have had with the offered event in the graph, and that read it.
bool Revisits::load_candidate(EventRef offered, CandidateIndex at, std::vector<Option>& options) {
  const EventRef candidate = candidate_of(offered, at);
  const Event& event = graph().event(candidate);
  if (event.option.starved) return false;
  std::vector<std::uint32_t> visible(graph().actor_count());
  for (std::uint32_t a = 0; a < visible.size(); ++a) {
    if (a == candidate.actor) {
      visible[a] = candidate.event;
      continue;
    }
    // The candidate may see all events except those with it in their past, which are the last ones of each actor.
    const std::size_t count = graph().actor(a).events.size();
    std::size_t low = 0, high = count;
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      if (graph().clock({a, static_cast<EventIndex>(middle)})[candidate.actor] > candidate.event) high = middle;
      else low = middle + 1;
    }
    visible[a] = static_cast<std::uint32_t>(low);
  }
  const View view{candidate.actor, candidate.event, visible};
  builder_.options_of(view, event, options);
  std::erase_if(options, [&](const Option& option) { return !reads(candidate.actor, event, option, offered); });
  return !options.empty();
}

bool Revisits::may_revisit(EventRef offered) const {
  for (std::size_t ordinal = 0; const auto reader = reader_of(offered, ordinal); ++ordinal) {
    const std::vector<EventIndex>& revisitable = graph().actor(*reader).revisitable;
    if (!revisitable.empty() && revisitable.back() >= graph().clock(offered)[*reader]) return true;
  }
  return false;
}

EventRef Revisits::candidate_of(EventRef offered, CandidateIndex at) const {
  const auto reader = reader_of(offered, at.reader);
  if (!reader || at.index >= graph().actor(*reader).revisitable.size()) throw PathLost();
  return {*reader, graph().actor(*reader).revisitable[at.index]};
}

bool Revisits::next_candidate(EventRef offered, std::optional<CandidateIndex>& candidate,
                              std::vector<Option>& options) {
  std::uint32_t ordinal = candidate ? candidate->reader : 0;
  bool begins = !candidate;
  for (; const auto reader = reader_of(offered, ordinal); ++ordinal, begins = true) {
    const std::vector<EventIndex>& revisitable = graph().actor(*reader).revisitable;
    const EventIndex past = graph().clock(offered)[*reader];
    std::size_t index = begins ? revisitable.size() : candidate->index;
    while (index > 0 && revisitable[index - 1] >= past) {
      candidate = CandidateIndex{ordinal, static_cast<std::uint32_t>(--index)};
      if (load_candidate(offered, *candidate, options)) return true;
    }
  }
  return false;
}

// Whether the observation has the option that the scheduler would have chosen first, in a view with the events added
// before it and the past of the offered event.
bool Revisits::is_canonical(std::uint32_t actor, EventIndex index, EventRef offered,
                            std::span<const std::uint32_t> past) {
  const Event& event = graph().actor(actor).events[index];
  if (event.settled) return true;
  if (event.option.starved) return false;
  std::vector<std::uint32_t> visible(graph().actor_count());
  for (std::uint32_t a = 0; a < visible.size(); ++a) {
    const std::uint32_t kept = a == offered.actor ? std::min(past[a], offered.event) : past[a];
    visible[a] = std::max(count_until(a, event.stamp), kept);
  }
  const View view{actor, index, visible};
  builder_.options_of(view, event, scratch_);
  return !scratch_.empty() && scratch_.front() == event.option;
}

// Whether the revisit may drop all events behind `keep` and change the revisited observation: all are canonical.
bool Revisits::droppable(EventRef offered, EventRef revisited, std::span<const std::uint32_t> keep,
                         std::span<const std::uint32_t> past) {
  if (!is_canonical(revisited.actor, revisited.event, offered, past)) return false;
  for (std::uint32_t a = 0; a < graph().actor_count(); ++a) {
    const std::vector<Event>& events = graph().actor(a).events;
    for (EventIndex i = keep[a]; i < events.size(); ++i) {
      const Event& event = events[i];
      if (event.early_readers > 0) return false;
      if (event.kind == graph::EventKind::send) {
        if (event.decided_by == graph::no_event) continue;
        if (graph().event({event.partner.actor, event.decided_by}).stamp < event.stamp) return false;
      } else if (event.kind == graph::EventKind::observe || event.kind == graph::EventKind::decide) {
        if (!is_canonical(a, i, offered, past)) return false;
      }
    }
  }
  return true;
}

std::optional<Revisit> Revisits::try_revisit(EventRef offered, CandidateIndex at, const Option& option) {
  const EventRef candidate = candidate_of(offered, at);
  const Event& revisited = graph().event(candidate);
  const std::uint32_t stamp = revisited.stamp;
  std::vector<std::uint32_t> past(graph().actor_count(), 0), keep(graph().actor_count());
  graph::for_each_read(graph(), candidate.actor, revisited, option, [&](EventRef read) {
    const std::span<const std::uint32_t> clock = graph().clock(read);
    for (std::size_t a = 0; a < past.size(); ++a) past[a] = std::max(past[a], clock[a]);
  });
  for (std::uint32_t a = 0; a < keep.size(); ++a) keep[a] = std::max(count_until(a, stamp), past[a]);
  REHEARSE_ASSERT(keep[candidate.actor] == candidate.event + 1, "the revisited event becomes its actor's last");
  if (!droppable(offered, candidate, keep, past)) return std::nullopt;

  Revisit made{candidate.actor, {}, graph().next_stamp()};
  keep[candidate.actor] = candidate.event;
  remove_behind(keep, made.removed);
  const Event old = made.removed.back().event;  // the revisited observation, which has the oldest stamp
  try {
    builder_.add_again(candidate.actor, old, option, made.next_stamp);
  } catch (const history::GivenUp&) {
    builder_.put_back(made.removed, made.next_stamp);
    throw;
  }
  return made;
}

// Removes the events behind `keep`, newest first.
void Revisits::remove_behind(std::span<const std::uint32_t> keep, std::vector<graph::Graph::Removed>& removed) {
  for (;;) {
    std::uint32_t newest = graph().actor_count();
    for (std::uint32_t a = 0; a < graph().actor_count(); ++a) {
      const std::vector<Event>& events = graph().actor(a).events;
      if (events.size() == keep[a]) continue;
      if (newest == graph().actor_count() || events.back().stamp > graph().actor(newest).events.back().stamp)
        newest = a;
    }
    if (newest == graph().actor_count()) return;
    removed.push_back(builder_.remove_last(newest));
  }
}

void Revisits::undo(std::uint32_t actor, std::vector<graph::Graph::Removed>& removed, std::uint32_t next_stamp) {
  builder_.pop(actor);
  builder_.put_back(removed, next_stamp);
}

}  // namespace rehearse::mc::reduction
