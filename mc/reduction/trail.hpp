// SPDX-License-Identifier: MIT
//
// The decisions of a depth-first exploration up to its current place, with the remaining alternatives.
//
// An entry stands for one event that was added to the graph, or for a backward revisit. The trail records the part of
// the remaining work that this exploration owns (Cut), writes prefixes down as Paths, and can donate remaining work.
//
// A donation is the work that this exploration would do last. It tries the alternatives of an entry after everything
// behind that entry; so the alternatives of the shallowest entry, from any of them on, come after all other work.
//
// Source: Knuth, "Estimating the efficiency of backtrack programs", Mathematics of Computation 29 (1975), for
//         position().
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "mc/graph/graph.hpp"
#include "mc/reduction/path.hpp"

namespace rehearse::mc::reduction {

// Remaining work for another process.
struct Donation {
  Path path;
  double position = 0;  // of its begin in the exploration
  Cut cut;              // the limits of the work that the donor keeps
};

class Trail {
 public:
  struct Entry {
    enum class Kind : std::uint8_t { plain, choice, offer, revisit } kind = Kind::plain;
    std::uint32_t actor = 0;
    graph::EventIndex event = graph::no_event;   // the actor's event that was added with the entry
    std::vector<graph::Option> options;          // choice: all options; offer: of the candidate
    std::vector<graph::Option> donated;          // choice: the options behind these, which other processes try
    std::uint32_t next = 0;                      // the next option to try; offer: no_event if there is none
    std::optional<CandidateIndex> candidate;     // offer: the observation that is being revisited; none: not begun
    std::vector<graph::Graph::Removed> removed;  // revisit: the dropped events, newest first
    std::uint32_t stamp = 0;                     // revisit: the next stamp before the revisit
    std::uint32_t refused_in_a_row = 0;          // Refusals::in_a_row, with this entry
    std::uint64_t check = 0;                     // hash of the trail up to here: events and choices
    std::uint32_t deviations = 0;                // up to here, including the current choice
    std::uint32_t width = 0;                     // choice: initial number of options

    bool is_deviation() const { return kind == Kind::revisit || (kind == Kind::choice && next > 1); }
    // Whether the entry has (an offer: may have) remaining alternatives.
    bool is_open() const {
      return kind == Kind::choice ? next < options.size() : kind == Kind::offer && next != graph::no_event;
    }
  };

  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }
  const std::vector<Entry>& entries() const { return entries_; }
  const Entry& operator[](std::size_t position) const { return entries_[position]; }
  const Entry& back() const { return entries_.back(); }
  Entry& back() { return entries_.back(); }

  // Adds an entry for the newest event of the actor.
  Entry& push(Entry::Kind kind, std::uint32_t actor, const graph::Graph& graph);
  void pop() { entries_.pop_back(); }

  std::uint32_t deviations() const { return entries_.empty() ? 0 : entries_.back().deviations; }
  std::uint32_t deviations_before_last() const { return size() < 2 ? 0 : entries_[size() - 2].deviations; }
  std::vector<graph::EventRef> deviating_events() const;
  std::optional<graph::EventRef> last_deviating_event() const;

  // Whether the last entry belongs to this exploration.
  bool owns_last() const { return size() > cut_.floor; }
  // Whether an entry that belongs to this exploration has, or may have, remaining alternatives.
  bool may_have_alternatives() const;
  void give_up(const Cut& cut);
  // Nothing if the donor might keep no work.
  std::optional<Donation> donate();

  // The prefix of this length. is_done: the current alternative of its last entry was explored, and is not included.
  Path write_down(std::size_t length, bool is_done) const;

  // Estimate of the completed fraction of the exploration, if all alternatives of a decision have the same size.
  // is_done: the execution of the trail was visited.
  double position(bool is_done) const;
  void count_offer_tried() { ++offers_tried_; }
  void count_revisit_taken() { ++revisits_taken_; }

 private:
  // An interval of the exploration, which is [0, 1] as a whole.
  struct Stretch {
    double begin = 0, length = 1;
  };

  Stretch stretch(std::size_t length) const;
  double revisits_expected() const;
  std::optional<std::size_t> position_to_donate() const;

  std::vector<Entry> entries_;
  Cut cut_;
  std::uint64_t offers_tried_ = 0, revisits_taken_ = 0;  // in this process
};

}  // namespace rehearse::mc::reduction
