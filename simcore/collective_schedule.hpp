// SPDX-License-Identifier: MIT
//
// The data movement of a collective: the sends and receives of each member, round by round.
//
// Shape:  members are numbered as in the collective, 0 .. members-1. In a round, a member posts its receives,
//         starts its sends and combines the received data. The next round begins when all this is done. A small message
//         is sent at once, a large one when its receive is posted. The k-th receive of a member from another takes the
//         other's k-th message to it. So a schedule is a graph of transfers. Each depends on the previous round and, if
//         it is large, on the round of its receiver.
// Needs:  every message is received. The graph has no cycle, even if all messages are large. Data that is sent in a
//         round is present at its beginning (tests/support/schedule_interpreter checks it).
// Cost:   a round is computed when a member reaches it. No memory grows with the number of transfers.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simcore/operation.hpp"
#include "simcore/support/result.hpp"

namespace rehearse {

// first, first + stride, ... : `count` of them, wrapping around.
struct Range {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  std::uint32_t stride = 1;
};

// The data of a message: the contributions of the origins; of these, the segments for the targets, if contributions
// have segments; of these, the parts. In a combining collective, the contributions are combined so far, independent of
// the origins; in one from a root, they are the root's. Ranges count members by their place in
// CollectiveSchedule::order.
struct Payload {
  Range origins;  // none: only the envelope travels
  Range targets;
  Range parts{0, 1, 1};
  std::uint32_t of_parts = 1;
};

struct ScheduledSend {
  std::uint32_t destination = 0;
  Payload payload;
  Payload more;  // usually nothing
};

struct ScheduledReceive {
  std::uint32_t source = 0;
  std::uint32_t combinations = 0;  // number of combinations with local data; 0: replaces it
};

struct Round {
  std::vector<ScheduledReceive> receives;
  std::vector<ScheduledSend> sends;

  void clear() {
    receives.clear();
    sends.clear();
  }
};

class CollectiveSchedule {
 public:
  virtual ~CollectiveSchedule() = default;

  // The maximum over all members; a round of a member may be empty.
  virtual std::uint32_t rounds() const = 0;
  // Appends the receives and sends of the member in the round.
  virtual void plan(std::uint32_t member, std::uint32_t round, Round& plan) const = 0;
  // Members in the order in which payloads count them; empty: by number.
  virtual std::span<const std::uint32_t> order() const { return {}; }
};

struct CollectiveShape {
  CollectiveKind kind = CollectiveKind::barrier;
  std::uint32_t root = 0;
  std::uint32_t members = 1;
  bool is_combining = false;   // contributions are combined into one of the same size
  bool is_commutative = true;  // they may be combined in any order
  std::uint64_t elements = 0;  // see CollectiveHints
  // Size of the whole contribution of the root (broadcast, scatter) or of the member that arrived first.
  std::uint64_t bytes = 0;
  std::uint64_t total_bytes = 0;           // see CollectiveHints
  std::uint32_t first_group = 0;           // see TwoGroups::first; rules do not apply between two groups
  std::span<const std::uint32_t> hosts{};  // by member, any numbers; empty: each has its own
};

class CollectiveSchedules {
 public:
  virtual ~CollectiveSchedules() = default;
  virtual std::shared_ptr<const CollectiveSchedule> find(const CollectiveShape& shape) = 0;
};

// Rules under a name; see docs/collectives.md for their text.
struct RuleSet {
  std::string_view name;
  std::string_view text;
};

// `rules`: one of the sets or `generic`, a file of rules, an algorithm for an operation (`broadcast=binomial`), or
// several of these, separated by commas: algorithms go before sets and files, generic comes last.
Result<std::unique_ptr<CollectiveSchedules>> make_schedules(std::string_view rules, std::span<const RuleSet> sets);

// Only the rules of `generic`.
std::unique_ptr<CollectiveSchedules> make_generic_schedules();

// The description of an algorithm, for lists.
struct AlgorithmDescription {
  std::string operation;
  std::string name;       // with its parameters: chain:segment=65536:radix=1
  std::string needs;      // its precondition; empty: none
  std::string otherwise;  // the replacement if the precondition does not hold
};

std::vector<AlgorithmDescription> collective_algorithms();

}  // namespace rehearse
