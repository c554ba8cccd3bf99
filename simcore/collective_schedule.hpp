// SPDX-License-Identifier: MIT
//
// How a collective moves its data: a graph of transfers between members, each starting when others
// have ended.
//
// Shape:  members are numbered as in the collective, 0 .. members-1. A transfer starts when its source
//         has arrived at the collective and the transfers it depends on have ended (a large one also
//         waits for its destination to arrive). A member is done when all transfers to it have ended
//         and those from it have started (large ones: ended).
// Needs:  the graph has no cycle, and a member cannot be done before what its Flow needs has arrived at
//         it; blocks travel only from members that had them (asserted by the driver).
// Cost:   a schedule depends on the shape only, so a maker may keep and share it.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "simcore/operation.hpp"

namespace rehearse {

// Whose contributions travel, and which of their segments: ranges of members that wrap around.
struct Payload {
  std::uint32_t first_origin = 0;
  std::uint32_t origins = 0;       // 0: nothing travels but the envelope
  std::uint32_t first_target = 0;
  std::uint32_t targets = 0;       // only looked at where contributions name segments
  std::uint32_t parts = 1;         // one part in so many of all that travels, rounded up
};

struct ScheduledTransfer {
  std::uint32_t source = 0;
  std::uint32_t destination = 0;
  Payload payload;
  std::uint32_t first_dependency = 0;  // into CollectiveSchedule::dependencies
  std::uint32_t dependencies = 0;
};

struct CollectiveSchedule {
  std::vector<ScheduledTransfer> transfers;
  std::vector<std::uint32_t> dependencies;  // indices of transfers
};

struct CollectiveShape {
  std::string_view name;  // as the program calls it
  Flow flow = Flow::all_to_all;
  std::uint32_t root = 0;
  std::uint32_t members = 1;
  bool is_combining = false;  // contributions become one of the same size on their way
  bool has_segments = false;  // contributions name a segment for each member
  // Of the root (root_to_all) or of the member that arrived first; all of it, segments included.
  std::uint64_t bytes = 0;
};

class CollectiveSchedules {
 public:
  virtual ~CollectiveSchedules() = default;
  virtual std::shared_ptr<const CollectiveSchedule> find(const CollectiveShape& shape) = 0;
};

// Textbook algorithms for each Flow: dissemination, binomial trees, recursive doubling, rings and
// pairwise exchange.
std::unique_ptr<CollectiveSchedules> make_generic_schedules();

}  // namespace rehearse
