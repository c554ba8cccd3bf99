// SPDX-License-Identifier: MIT
//
// What executions cost, by a measure that whoever explores has of them: the extremes, and how costs are spread.
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
  // Why an execution has no cost: it cannot be had by that measure, an actor fails in it, or nobody knows.
  enum class Without : std::uint8_t { impossible, failed, unknown };

  std::optional<double> cost;      // nothing: it has none by that measure
  std::optional<Finding> finding;  // where it is too much; its schedule is added
  Without without = Without::impossible;  // where there is no cost
};

struct Extreme {
  double cost = 0;
  Schedule schedule;  // of the first execution, in the order of the exploration, that cost so
};

struct Costs {
  Extreme least, most;
  std::uint64_t executions = 0;          // that have a cost
  std::uint64_t without = 0;             // that cannot be had by that measure
  std::uint64_t failed = 0;              // that have none because an actor fails in them
  std::vector<std::uint64_t> histogram;  // so many in each of equal parts from least to most, which is in the last
};

}  // namespace rehearse::mc
