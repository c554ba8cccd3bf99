// SPDX-License-Identifier: MIT
//
// Depth-first search over all executions: growth, backtracking, and paths.
#include "mc/reduction/receives_from.hpp"

#include "simcore/support/assert.hpp"

namespace rehearse::mc::reduction {

using graph::EventRef;

// When an actor is interrupted (GivenUp), its step is undone, so that the exploration can continue later.
bool ReceivesFromExplorer::run(const Visitor& visit) {
  try {
    return go_through(visit);
  } catch (const history::GivenUp&) {
    while (goes_on_(*this)) continue;
    return false;
  }
}

bool ReceivesFromExplorer::go_through(const Visitor& visit) {
  for (;;) {
    while (!is_at_leaf_) {
      is_at_leaf_ = !step();
      if (!is_at_leaf_ && !count_event()) return false;
      if (is_at_leaf_ && builder_.is_real() && !visit_leaf(visit)) return false;
    }
    if (builder_.is_history_full()) forget_histories();
    if (!backtrack()) return true;
    races_.forget_behind(trail_.size() - 1);
    is_at_leaf_ = false;
    if (!count_event()) return false;
  }
}

// The visitor may run an actor for a report, and that actor may be interrupted.
bool ReceivesFromExplorer::visit_leaf(const Visitor& visit) {
  try {
    return visit(graph());
  } catch (const history::GivenUp&) {
    visit_again();
    throw;
  }
}

// Keeps the nodes of the graph, and of the events that revisits removed and that may be put back.
void ReceivesFromExplorer::forget_histories() {
  std::vector<const history::Node*> needed;
  for (const Entry& entry : trail_.entries())
    for (const graph::Graph::Removed& removed : entry.removed) needed.push_back(removed.node_after);
  builder_.forget_histories(std::move(needed));
}

// Adds an event. False: the execution is maximal.
bool ReceivesFromExplorer::step() {
  const ExecutionBuilder::Added added = builder_.grow();
  if (added != ExecutionBuilder::Added::nothing) {
    push(added);
    return true;
  }
  Refusals refusals;
  if (!trail_.empty()) refusals = {trail_.back().refused_in_a_row, trail_.back().actor};
  if (builder_.refuse_some_poll(refusals) == ExecutionBuilder::Added::nothing) return false;
  trail_.push(Entry::Kind::plain, refusals.last_actor, graph()).refused_in_a_row = refusals.in_a_row;
  return true;
}

void ReceivesFromExplorer::push(ExecutionBuilder::Added added) {
  const std::uint32_t actor = builder_.last_actor();
  switch (added) {
    case ExecutionBuilder::Added::nothing:
    case ExecutionBuilder::Added::plain: trail_.push(Entry::Kind::plain, actor, graph()); break;
    case ExecutionBuilder::Added::offer: {
      Entry& entry = trail_.push(Entry::Kind::offer, actor, graph());
      if (!revisits_.may_revisit(newest_of(entry))) entry.next = graph::no_event;
      break;
    }
    case ExecutionBuilder::Added::choice: {
      Entry& entry = trail_.push(Entry::Kind::choice, actor, graph());
      entry.options = builder_.take_choices();
      entry.next = 1;
      entry.width = static_cast<std::uint32_t>(entry.options.size());
      break;
    }
  }
}

// Undoes the newest events up to one with a next alternative, and takes that. False: no alternative remains.
bool ReceivesFromExplorer::backtrack() {
  is_first_ = false;
  while (trail_.owns_last()) {
    Entry& entry = trail_.back();
    switch (entry.kind) {
      case Entry::Kind::plain: break;
      case Entry::Kind::choice:
        if (may_deviate(entry) && next_option(entry)) return true;
        break;
      case Entry::Kind::offer:
        if (!entry.candidate && entry.next != graph::no_event) trail_.count_offer_tried();
        if (may_deviate(entry) && next_revisit()) {
          trail_.count_revisit_taken();
          return true;
        }
        break;
      case Entry::Kind::revisit: undo_revisit(); continue;
    }
    builder_.take_back(trail_.back().actor);
    trail_.pop();
  }
  return false;
}

// Whether the deviation bound lets the newest entry try its next alternative. If not, records whether it has one.
bool ReceivesFromExplorer::may_deviate(const Entry& entry) {
  if (trail_.deviations_before_last() < deviations_max_) return true;
  if (has_left_deviations_out_ || !entry.is_open()) return false;
  if (entry.kind == Entry::Kind::choice) {
    has_left_deviations_out_ = true;
  } else if (next_revisit()) {
    has_left_deviations_out_ = true;
    undo_revisit();
  }
  return false;
}

bool ReceivesFromExplorer::next_option(Entry& entry) {
  if (entry.next == entry.options.size()) return false;
  builder_.replace_option(entry.actor, entry.options[entry.next], entry.options[entry.next - 1]);
  ++entry.next;
  entry.deviations = trail_.deviations_before_last() + 1;
  return true;
}

EventRef ReceivesFromExplorer::newest_of(const Entry& entry) const {
  return {entry.actor, static_cast<graph::EventIndex>(graph().actor(entry.actor).events.size() - 1)};
}

// Makes the next backward revisit of the newest entry. False: there is none.
bool ReceivesFromExplorer::next_revisit() {
  Entry& entry = trail_.back();
  if (entry.next == graph::no_event) return false;
  const EventRef offered = newest_of(entry);
  for (;;) {
    while (entry.next < entry.options.size()) {
      const graph::Option option = entry.options[entry.next++];
      try {
        if (try_revisit(offered, *entry.candidate, option)) return true;
      } catch (const history::GivenUp&) {
        --entry.next;
        throw;
      }
    }
    if (!revisits_.next_candidate(offered, entry.candidate, entry.options)) return false;
    entry.next = 0;
  }
}

bool ReceivesFromExplorer::try_revisit(EventRef offered, CandidateIndex candidate, const graph::Option& option) {
  std::optional<Revisit> made = revisits_.try_revisit(offered, candidate, option);
  if (!made) return false;
  Entry& revisit = trail_.push(Entry::Kind::revisit, made->actor, graph());
  revisit.removed = std::move(made->removed);
  revisit.stamp = made->next_stamp;
  return true;
}

void ReceivesFromExplorer::undo_revisit() {
  Entry& entry = trail_.back();
  revisits_.undo(entry.actor, entry.removed, entry.stamp);
  trail_.pop();
}

std::optional<Donation> ReceivesFromExplorer::donate() {
  REHEARSE_ASSERT(is_at_leaf_, "work is donated between two executions");
  return trail_.donate();
}

void ReceivesFromExplorer::grow_to(std::size_t length) {
  if (trail_.size() > length) throw PathLost();
  while (trail_.size() < length)
    if (!step()) throw PathLost();
}

void ReceivesFromExplorer::take(const Deviation& deviation) {
  grow_to(std::size_t{deviation.position} + 1);
  Entry& entry = trail_.back();
  if (entry.kind == Entry::Kind::choice && !deviation.candidate) {
    if (deviation.option >= entry.options.size()) throw PathLost();
    entry.next = deviation.option;
    next_option(entry);
    return;
  }
  if (entry.kind != Entry::Kind::offer || !deviation.candidate) throw PathLost();
  const EventRef offered = newest_of(entry);
  const CandidateIndex candidate = *deviation.candidate;
  entry.candidate = candidate;
  if (!revisits_.load_candidate(offered, candidate, entry.options)) throw PathLost();
  if (deviation.option >= entry.options.size()) throw PathLost();
  entry.next = deviation.option + 1;
  const graph::Option option = entry.options[deviation.option];
  if (!try_revisit(offered, candidate, option)) throw PathLost();
}

void ReceivesFromExplorer::load(const Path& path) {
  REHEARSE_ASSERT(trail_.empty(), "a path begins where an exploration begins");
  is_first_ = false;
  for (const Deviation& deviation : path.deviations) take(deviation);
  grow_to(path.length);
  is_at_leaf_ = path.is_done;
  if (!trail_.empty()) {
    Entry& last = trail_.back();
    if (last.check != path.check) throw PathLost();
    if (last.kind == Entry::Kind::offer && path.candidate) {
      last.candidate = path.candidate;
      if (!revisits_.load_candidate(newest_of(last), *path.candidate, last.options)) throw PathLost();
    }
    last.next = path.next;
  }
  give_up({path.floor, path.floor_limit});
}

}  // namespace rehearse::mc::reduction
