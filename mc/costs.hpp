// SPDX-License-Identifier: MIT
//
// The costs of executions, by a measure that the caller of the exploration defines: extremes and distribution.
//
// Units: those of the measure.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "simcore/finding.hpp"
#include "simcore/schedule.hpp"

namespace rehearse::mc {

// Of one execution.
struct Price {
  // The reason why an execution has no cost: impossible in that measure, a failed actor, or unknown.
  enum class Without : std::uint8_t { impossible, failed, unknown };

  std::optional<double> cost;             // no value: the execution has none
  std::optional<Finding> finding;         // if the cost exceeds a bound; its schedule is added
  Without without = Without::impossible;  // if there is no cost
};

struct Extreme {
  double cost = 0;
  Schedule schedule;  // of the first execution with this cost, in the order of the exploration
};

struct Costs {
  Extreme least, most;
  std::uint64_t executions = 0;          // executions with a cost
  std::uint64_t without = 0;             // executions that are impossible in that measure
  std::uint64_t failed = 0;              // executions with a failed actor
  std::vector<std::uint64_t> histogram;  // counts for intervals of equal width from least to most
};

}  // namespace rehearse::mc
