// SPDX-License-Identifier: MIT
//
// What the ranks of a simulation have: processors, ports, a mailbox, and events that wait.
//
// Shape:  one form for schedules in which every rank has one processor and one port, where this is one cache line for
//         each rank; and one for all others.
// Units:  dates in nanoseconds.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "simcore/support/large_vector.hpp"
#include "trace/goal.hpp"
#include "trace/log_gops/matching.hpp"
#include "trace/log_gops/waiting.hpp"

namespace rehearse::trace::log_gops {

// For what an event may wait.
enum class Needed : std::uint8_t { processor, processor_and_way_out, processor_and_way_in };

struct Place {
  std::uint32_t rank = 0;
  std::uint8_t cpu = 0;
  std::uint8_t nic = 0;
};

// The date from which on the rank has what is needed.
template <class Ranks>
std::uint64_t free_from(Ranks& ranks, Place at, Needed needed) {
  const std::uint64_t processor = ranks.processor(at);
  switch (needed) {
    case Needed::processor: return processor;
    case Needed::processor_and_way_out: return std::max(processor, ranks.way_out(at));
    case Needed::processor_and_way_in: return std::max(processor, ranks.way_in(at));
  }
  return processor;
}

class SingleRanks {
 public:
  explicit SingleRanks(std::uint32_t ranks) : ranks_(ranks), waiting_(3 * ranks_.size()) {}

  std::uint64_t& processor(Place at) { return ranks_[at.rank].processor; }
  std::uint64_t& way_out(Place at) { return ranks_[at.rank].way_out; }
  std::uint64_t& way_in(Place at) { return ranks_[at.rank].way_in; }
  Mailbox& mailbox(std::uint32_t rank) { return ranks_[rank].mailbox; }
  std::uint64_t end(std::uint32_t rank) const { return ranks_[rank].processor; }

  // The order of the waiting event that is in the queue; `none`.
  std::uint32_t& queued(Place at, Needed needed) { return ranks_[at.rank].queued[static_cast<std::size_t>(needed)]; }
  WaitingEvents& waiting(Place at, Needed needed) {
    return waiting_[3 * std::size_t{at.rank} + static_cast<std::size_t>(needed)];
  }
  // Whether all messages to the rank need the same processor and port.
  static constexpr bool has_one_way_in(std::uint32_t) { return true; }
  void prefetch(std::uint32_t rank) const { __builtin_prefetch(&ranks_[rank]); }

 private:
  struct alignas(64) State {
    std::uint64_t processor = 0, way_out = 0, way_in = 0;  // free from then on
    Mailbox mailbox;
    std::array<std::uint32_t, 3> queued = {none, none, none};
  };

  LargeVector<State> ranks_;
  LargeVector<WaitingEvents> waiting_;  // by rank and need
};

class GeneralRanks {
 public:
  explicit GeneralRanks(const GoalSchedule& schedule) : ranks_(schedule.ranks()) {
    for (std::uint32_t rank = 0; rank < schedule.ranks(); ++rank) {
      State& state = ranks_[rank];
      std::uint32_t cpus = 1, nics = 1;
      const GoalSchedule::Block& block = schedule.blocks[rank];
      for (std::uint32_t i = block.first; i < block.first + block.count; ++i) {
        const GoalOperation& operation = schedule.operations[i];
        cpus = std::max(cpus, operation.cpu + 1u);
        nics = std::max(nics, operation.nic + 1u);
        const bool is_other = operation.kind == GoalKind::receive && (operation.cpu != 0 || operation.nic != 0);
        state.has_one_way_in = state.has_one_way_in && !is_other;
      }
      state.processors.resize(cpus);
      state.ways_out.resize(nics);
      state.ways_in.resize(nics);
    }
  }

  std::uint64_t& processor(Place at) { return ranks_[at.rank].processors[at.cpu]; }
  std::uint64_t& way_out(Place at) { return ranks_[at.rank].ways_out[at.nic]; }
  std::uint64_t& way_in(Place at) { return ranks_[at.rank].ways_in[at.nic]; }
  Mailbox& mailbox(std::uint32_t rank) { return ranks_[rank].mailbox; }
  std::uint64_t end(std::uint32_t rank) const { return *std::ranges::max_element(ranks_[rank].processors); }
  std::uint32_t& queued(Place at, Needed needed) { return of(at, needed).queued; }
  WaitingEvents& waiting(Place at, Needed needed) { return of(at, needed).waiting; }
  bool has_one_way_in(std::uint32_t rank) const { return ranks_[rank].has_one_way_in; }
  void prefetch(std::uint32_t rank) const { __builtin_prefetch(&ranks_[rank]); }

 private:
  struct State {
    std::vector<std::uint64_t> processors, ways_out, ways_in;
    Mailbox mailbox;
    bool has_one_way_in = true;
  };
  struct Group {
    std::uint32_t queued = none;
    WaitingEvents waiting;
  };

  Group& of(Place at, Needed needed) {
    const std::uint64_t nic = needed == Needed::processor ? 0 : at.nic;
    return groups_[std::uint64_t{at.rank} << 32 | nic << 16 | std::uint64_t{at.cpu} << 8 |
                   static_cast<std::uint64_t>(needed)];
  }

  std::vector<State> ranks_;
  std::unordered_map<std::uint64_t, Group> groups_;
};

}  // namespace rehearse::trace::log_gops
