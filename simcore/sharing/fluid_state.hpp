// SPDX-License-Identifier: MIT
//
// A Fluid's data about activities, resources and clocks, shared by its parts.
//
// Ownership: the Fluid owns it. Indices stay valid; references only until the next activity or resource is added.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "simcore/sharing/fair_sharing.hpp"
#include "simcore/sharing/work_clock.hpp"
#include "simcore/time.hpp"

namespace rehearse::sharing {

using ActivityIndex = std::uint32_t;

// The phases in the life of an activity.
enum class Phase { delayed, waiting, flowing, suspended };

// The capacity that is shared while `flows` activities that count flow.
using FlowCapacityFunction = std::function<double(double capacity, std::uint32_t flows)>;

// Where an activity is among the flows that begin to share at one date (BatchedFlows).
inline constexpr std::uint32_t no_batch = ~0u;
inline constexpr std::uint32_t pending_batch = ~0u - 1;

struct FluidActivity {
  double amount = 0;  // remaining work, while it does not flow
  double weight = 1;
  double bound = unbounded;
  std::uint64_t order = 0;
  std::uint64_t ticket = 0;  // while it waits
  Duration delay;            // remaining delay, while suspended
  std::uint32_t clock = plain_time;
  Phase phase = Phase::delayed;
  // See UncontendedFlows.
  bool is_uncontended = false;
  bool is_precomputed = false;
  double rate = 0;     // valid while one of these is true, as the next two:
  TimePoint since;     // the date at which `amount` remained,
  double reading = 0;  // and the reading of its clock then
  ResourceIndex limit = 0;
  std::uint32_t batch = no_batch;  // of a member, the four values above are valid, and the next one
  TimePoint end;
  std::uint32_t batch_place = 0;  // among the pending ones, or in the set of which the batch is a part
  ActivityIndex next_in_batch = 0;
  std::uint8_t batches = 0;  // so far
  std::uint32_t shape = 0;   // FlowShapes::number(), if `shapes` is BatchedFlows' current table
  std::uint32_t shapes = 0;  // 0: not known
  std::vector<Use> uses;
  std::vector<Use> meters;  // see LoadWatch
};

// The state that only few resources need.
struct FluidGate {
  std::uint32_t limit = ~0u;
  double least = 1;
  FlowCapacityFunction function;
  std::set<std::pair<std::uint64_t, ActivityIndex>> waiting;  // by ticket
};

inline constexpr ActivityIndex nobody = ~0u;

struct FluidResource {
  double capacity = 0;
  std::uint32_t flows = 0;           // activities that count and flow
  std::uint32_t sharers = 0;         // activities that flow, and share step by step
  std::uint32_t batched = 0;         // activities in a batch, or pending
  std::uint32_t batch = no_batch;    // the batch that uses it
  ActivityIndex sole_user = nobody;  // the uncontended or precomputed activity that uses it
  std::unique_ptr<FluidGate> gate;
  bool counts(double coefficient) const { return coefficient >= (gate ? gate->least : 1); }
  bool is_full() const { return gate && flows >= gate->limit; }
};

struct FluidClock {
  const WorkClock* clock = nullptr;
  ActivityIndex sole_user = nobody;  // the uncontended activity that follows it
};

struct FluidState {
  std::vector<FluidActivity> activities;
  std::vector<FluidResource> resources;
  std::vector<FluidClock> clocks;
  TimePoint now;
};

}  // namespace rehearse::sharing
