// SPDX-License-Identifier: MIT
//
// Executions that somebody else guides.
#include "mc/reduction/receives_from.hpp"

namespace rehearse::mc {

const Graph* Matching::follow(Guide& guide) {
  try {
    return follow_on(guide);
  } catch (const GivenUp&) {
    while (goes_on_(*this)) continue;
    return nullptr;
  }
}

// As step(), but that an actor may be left waiting for something better.
const Graph* Matching::follow_on(Guide& guide) {
  while (lowest(may_start_, &Matching::start_something) || lowest(may_settle_, &Matching::observe_settled) ||
         observe_as_told(guide, false) || refuse_as_told(guide) || observe_as_told(guide, true) ||
         refuse_some_poll())
    if (!count_event()) return nullptr;
  return leaf_is_real() ? &graph_ : nullptr;
}

bool Matching::observe_as_told(Guide& guide, bool is_last) {
  for (std::uint32_t actor = 0; actor < graph_.actor_count(); ++actor) {
    scratch_.clear();
    const std::optional<Pending> p = open_question(actor, scratch_);
    if (!p) continue;
    const auto chosen = guide.choose(graph_, {actor, p->kind, p->decides}, scratch_, is_last);
    if (!chosen) continue;
    add_observation(actor, p->kind, p->decides, Option(scratch_[*chosen]), false);
    push(Entry::Kind::plain, actor);
    return true;
  }
  return false;
}

bool Matching::refuse_as_told(Guide& guide) {
  for (std::uint32_t actor = 0; actor < graph_.actor_count(); ++actor)
    if (guide.refuses(graph_, actor) && refuse_poll(actor)) return true;
  return false;
}

bool Matching::is_turn(const Entry& entry) {
  return entry.kind == Entry::Kind::revisit || (entry.kind == Entry::Kind::choice && entry.next > 1);
}

std::vector<EventRef> Matching::turned() const {
  std::vector<EventRef> events;
  for (const Entry& entry : trail_)
    if (is_turn(entry)) events.push_back({entry.actor, entry.event});
  return events;
}

std::optional<EventRef> Matching::last_turn() const {
  for (auto entry = trail_.rbegin(); entry != trail_.rend(); ++entry)
    if (is_turn(*entry)) return EventRef{entry->actor, entry->event};
  return std::nullopt;
}

}  // namespace rehearse::mc
