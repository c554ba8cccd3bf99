// SPDX-License-Identifier: MIT
//
// The decisions of a depth-first exploration up to its current place, with the remaining alternatives.
//
// An entry stands for one event that was added to the graph, or for a revisit. The trail knows which part of the
// remaining work this exploration owns (its Cut), writes prefixes down as Paths, and can donate remaining work.
//
// Donated is what a depth-first exploration would do last: the alternatives of an entry are tried when everything
// behind it was, so those of the shallowest entry, from any one of them on, come behind all else.
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

// Remaining work that somebody else takes over.
struct Donation {
  Path path;
  double position = 0;  // of where it begins
  Cut cut;              // what the donor does not own any more
};

class Trail {
 public:
  struct Entry {
    enum class Kind : std::uint8_t { plain, choice, offer, revisit } kind = Kind::plain;
    std::uint32_t actor = 0;
    graph::EventIndex event = graph::no_event;   // the actor's, that came with it
    std::vector<graph::Option> options;          // choice: all; offer: of the candidate
    std::vector<graph::Option> donated;          // choice: those behind them, which others try
    std::uint32_t next = 0;                      // option to try next; offer: no_event when there is nothing to try
    std::optional<CandidateIndex> candidate;     // offer: whose event is being revisited; none: none yet
    std::vector<graph::Graph::Removed> removed;  // revisit: what it dropped, in that order
    std::uint32_t stamp = 0;                     // revisit: the next stamp before it
    std::uint32_t refused_in_a_row = 0;          // polls that were refused because nothing else could happen, with it
    std::uint64_t check = 0;                     // of the trail up to here: what happened, and what was chosen
    std::uint32_t deviations = 0;                // up to here, with what is chosen here
    std::uint32_t width = 0;                     // choice: how many options there were

    bool is_deviation() const { return kind == Kind::revisit || (kind == Kind::choice && next > 1); }
    // Whether it has alternatives left, or, of an offer, may have some.
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

  // The actor has a new event in the graph. The new entry's check says what led to it.
  Entry& push(Entry::Kind kind, std::uint32_t actor, const graph::Graph& graph);
  void pop() { entries_.pop_back(); }

  std::uint32_t deviations() const { return entries_.empty() ? 0 : entries_.back().deviations; }
  std::uint32_t deviations_before_last() const { return size() < 2 ? 0 : entries_[size() - 2].deviations; }
  std::vector<graph::EventRef> deviating_events() const;
  std::optional<graph::EventRef> last_deviating_event() const;

  // Whether the last entry belongs to this exploration.
  bool owns_last() const { return size() > cut_.floor; }
  // Whether an entry that belongs to this exploration has alternatives left, or may have some.
  bool may_have_alternatives() const;
  void give_up(const Cut& cut);
  // Nothing where all that remains may be what comes next.
  std::optional<Donation> donate();

  // The prefix of this length. The alternative that its last entry has taken is included only where it was not done
  // with.
  Path write_down(std::size_t length, bool is_done) const;

  // How much of everything comes before the remaining work, as a fraction: an estimate, which takes the alternatives of
  // one decision for equally large. is_done: what follows the trail was visited.
  double position(bool is_done) const;
  void count_offer_tried() { ++offers_tried_; }
  void count_revisit_taken() { ++revisits_taken_; }

 private:
  // A part of everything that is explored, in the order of the exploration.
  struct Stretch {
    double begin = 0, length = 1;
  };

  Stretch stretch(std::size_t length) const;
  double revisits_expected() const;
  std::optional<std::size_t> position_to_donate() const;

  std::vector<Entry> entries_;
  Cut cut_;
  std::uint64_t offers_tried_ = 0, revisits_taken_ = 0;  // as far as known
};

}  // namespace rehearse::mc::reduction
