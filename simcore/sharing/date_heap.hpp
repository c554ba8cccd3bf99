// SPDX-License-Identifier: MIT
//
// Things by date and order; which is first, and the dates of all. A thing can get a new date or be removed.
//
// Runs:    things that get the same date one after the other, in ascending order, are a run: only the first of a run is
//          in the tournament. Ranks in step make long runs, of which each thing then costs constant time. Two runs can
//          grow, because flows that are alone and others often take turns.
// Shape:   things are small indices.
// Threads: none.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "simcore/sharing/tournament.hpp"
#include "simcore/time.hpp"

namespace rehearse::sharing {

class DateHeap {
 public:
  bool empty() const { return tournament_.empty(); }
  // These require: there is a thing.
  std::uint32_t first() const { return firsts_[tournament_.first()]; }
  TimePoint first_date() const { return tournament_.first_date(); }
  // Whether no other thing has the first date.
  bool is_first_alone() const { return things_[first()].next == none && tournament_.is_first_alone(); }
  // Requires: the thing has a date.
  TimePoint date(std::uint32_t thing) const { return things_[thing].key.date; }

  // `order`: less than the greatest number.
  void set(std::uint32_t thing, TimePoint date, std::uint64_t order) {
    if (thing >= things_.size()) things_.resize(thing + 1);
    Thing& entry = things_[thing];
    std::uint32_t* run = find_run(thing, date, order);
    const bool is_run = entry.is_there && entry.next == none && entry.previous == none;
    if (entry.is_there && (run != nullptr || !is_run)) remove(thing);
    if (run != nullptr) {
      entry = {{date, order}, none, *run, none, true};
      things_[*run].next = thing;
      *run = thing;
      return;
    }
    entry = {{date, order}, none, none, is_run ? entry.slot : take_slot(), true};
    firsts_[entry.slot] = thing;
    tournament_.set(entry.slot, entry.key);
    if (lasts_[0] != thing && lasts_[1] != thing) lasts_[next_last_++ % lasts_.size()] = thing;
  }

  // Removes the date of the thing, if it has one.
  void remove(std::uint32_t thing) {
    if (thing >= things_.size() || !things_[thing].is_there) return;
    Thing& entry = things_[thing];
    entry.is_there = false;
    if (entry.next != none) things_[entry.next].previous = entry.previous;
    if (entry.previous != none) things_[entry.previous].next = entry.next;
    else if (entry.next != none) begin_with(entry.slot, entry.next);
    else free_slot(entry.slot);
    for (std::uint32_t& last : lasts_)
      if (last == thing) last = entry.previous;
  }

  // Removes the things of the first date and appends them: run after run, each in its order. Requires: there is one.
  void take_first(std::vector<std::uint32_t>& taken) {
    for (bool is_last = false; !is_last;) {
      is_last = tournament_.is_first_alone();  // asked before, so that the slot can get a new key first
      take_run(taken);
    }
  }

 private:
  static constexpr std::uint32_t none = ~0u;
  struct Thing {
    DateKey key;
    std::uint32_t next = none;  // of its run
    std::uint32_t previous = none;
    Tournament::Slot slot = none;  // of the first of a run
    bool is_there = false;
  };

  // The end of a run that can grow by the thing; null: there is none.
  std::uint32_t* find_run(std::uint32_t thing, TimePoint date, std::uint64_t order) {
    for (std::uint32_t& last : lasts_)
      if (last != none && last != thing && things_[last].key.date == date && things_[last].key.order <= order)
        return &last;
    return nullptr;
  }

  void take_run(std::vector<std::uint32_t>& run) {
    std::uint32_t last = none;
    free_slot(tournament_.first());
    for (std::uint32_t thing = firsts_[free_.back()]; thing != none; thing = things_[thing].next) {
      things_[thing].is_there = false;
      run.push_back(thing);
      last = thing;
    }
    for (std::uint32_t& growing : lasts_)
      if (growing == last) growing = none;
  }

  Tournament::Slot take_slot() {
    if (free_.empty()) {
      free_.push_back(static_cast<Tournament::Slot>(firsts_.size()));
      firsts_.push_back(none);
    }
    const Tournament::Slot slot = free_.back();
    free_.pop_back();
    return slot;
  }
  void free_slot(Tournament::Slot slot) {
    tournament_.clear(slot);
    free_.push_back(slot);
  }
  // The run begins with this thing now.
  void begin_with(Tournament::Slot slot, std::uint32_t thing) {
    firsts_[slot] = thing;
    things_[thing].slot = slot;
    tournament_.set(slot, things_[thing].key);
  }

  Tournament tournament_;
  std::vector<std::uint32_t> firsts_;   // of the runs, by slot
  std::vector<Tournament::Slot> free_;  // the last one is taken next
  std::vector<Thing> things_;
  std::array<std::uint32_t, 2> lasts_{none, none};  // the last things of the runs that can grow
  std::uint32_t next_last_ = 0;                     // whose place the next run takes
};

}  // namespace rehearse::sharing
