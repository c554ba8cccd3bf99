// SPDX-License-Identifier: MIT
//
// The record of an explored execution: the data for the verdict, without the graph. It is small and has no pointers, so
// that one process can make it and another one count it.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mc/explore.hpp"
#include "mc/history/history.hpp"
#include "mc/reduction/race.hpp"
#include "mc/verdict/price_list.hpp"
#include "simcore/finding.hpp"

namespace rehearse::mc::verdict {

// A kind of end that is not spotless, as judged at the first execution with such an end.
struct Cause {
  history::Hash128 shape;    // identifies the kind
  std::uint32_t judged = 0;  // index of the policy under which the findings' schedule leads to it
  std::vector<Finding> findings;
  std::vector<std::string> reasons;  // why it was not judged, or the executions behind it are not all explored
  bool is_not_meant = false;         // the program excludes such executions: no findings
};

struct Execution {
  // An end of the execution under the first policy.
  struct Ending {
    Ending() = default;
    Ending(const history::Hash128& it, bool is_complete) : observed(it), complete(is_complete) {}

    history::Hash128 observed;  // its class
    bool complete = true;
    std::unique_ptr<Tag> tag = nullptr;  // cost; null: not asked for
  };
  // An end under a policy that is not spotless. Each pair of shape and policy is recorded once.
  struct RecordedEnd {
    history::Hash128 shape;
    std::uint32_t policy = 0;
  };

  // Identifies the execution, which the exploration should reach once; none: it may reach it several times.
  std::optional<history::Hash128> decided;
  boost::container::small_vector<Ending, 1> endings;
  std::vector<RecordedEnd> recorded_ends;
  std::vector<Cause> causes;           // of the new shapes among `recorded_ends`
  std::vector<reduction::Race> races;  // at new places
  std::optional<Branching> branching;  // its last deviation; none: the first execution

  void clear() {
    decided.reset();
    endings.clear();
    recorded_ends.clear();
    causes.clear();
    races.clear();
    branching.reset();
  }
};

}  // namespace rehearse::mc::verdict
