// SPDX-License-Identifier: MIT
//
// The operations of all ranks that took time, the causes of their ends, and the critical path through them.
//
// Shape:   the segments of a rank are in the order of time and do not overlap. A cause is a message or a collective.
// Release: the rank and the date from which on nothing but the network kept a wait from its end.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "app/trace_profile.hpp"
#include "simcore/ids.hpp"
#include "simcore/operation.hpp"
#include "simcore/time.hpp"

namespace rehearse::app {

inline constexpr std::uint32_t no_cause = std::numeric_limits<std::uint32_t>::max();

struct Segment {
  TimePoint begin, end;
  std::uint32_t row = 0;
  std::uint32_t cause = no_cause;
  Spent use = Spent::overhead;  // without a cause, or before its release
};

struct Release {
  std::uint32_t rank = 0;
  TimePoint date;
};

struct WaitCause {
  enum class Kind : std::uint8_t { message, collective, unknown };
  Kind kind = Kind::unknown;
  Release release;                            // of a message
  std::uint32_t source = 0, destination = 0;  // of a message
  std::uint32_t instance = 0;                 // of a collective
};

// The arrivals at a collective, as far as its waits depend on them.
struct CollectiveArrivals {
  struct Arrival {
    std::uint32_t member = 0, rank = 0;
    TimePoint date;
  };
  Flow flow = Flow::all_to_all;
  std::uint32_t root = 0;  // rank
  std::uint32_t missing = 0;
  Release last, of_root;
  std::vector<Arrival> arrivals;  // with a flow from some members to some only
};

class WaitCauses {
 public:
  std::vector<std::vector<Segment>> segments;  // by rank
  std::vector<WaitCause> causes;
  std::vector<CollectiveArrivals> collectives;

  Release release_of(std::uint32_t rank, const Segment& segment) const;

  // How a segment divides into a wait until the release, and what comes behind it.
  struct Division {
    Spent first = Spent::overhead, second = Spent::overhead;
    TimePoint at;  // from begin to end
  };
  Division divide(std::uint32_t rank, const Segment& segment) const;

  // A piece of the critical path, in the segment's row.
  struct Piece {
    std::uint32_t rank = 0;
    std::uint32_t row = 0;
    Spent use = Spent::overhead;
    TimePoint begin, end;
  };
  // From the last piece to the first. They fill the time from 0 to the end of the last rank.
  template <class Visit>
  void walk_critical_path(TimePoint end, Visit visit) const;

 private:
  // The last segment that begins before the date; null: none.
  const Segment* find_segment(std::uint32_t rank, TimePoint date) const;
  std::uint32_t last_rank() const;
};

template <class Visit>
void WaitCauses::walk_critical_path(TimePoint end, Visit visit) const {
  std::uint32_t rank = last_rank();
  TimePoint date = end;
  std::uint32_t row = 0;
  std::size_t jumps = 0;  // at this date
  while (date > TimePoint{}) {
    const Segment* segment = find_segment(rank, date);
    if (segment == nullptr || segment->end < date) {  // the rank does nothing that takes time
      const TimePoint before = segment == nullptr ? TimePoint{} : segment->end;
      visit(Piece{rank, row, Spent::overhead, before, date});
      date = before;
      jumps = 0;
      continue;
    }
    row = segment->row;
    const bool is_wait = segment->cause != no_cause && date == segment->end && jumps <= segments.size();
    if (!is_wait) {
      visit(Piece{rank, row, segment->use, segment->begin, date});
      date = segment->begin;
      jumps = 0;
      continue;
    }
    const Release release = release_of(rank, *segment);
    const TimePoint from = std::min(release.date, date);
    if (from < date) visit(Piece{rank, row, divide(rank, *segment).second, from, date});
    jumps = from < date ? 0 : jumps + 1;
    rank = release.rank;
    date = from;
  }
}

}  // namespace rehearse::app
