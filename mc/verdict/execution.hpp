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

// How something other than a good end looked, judged at the first execution that ended so.
struct Cause {
  history::Hash128 shape;
  std::uint32_t judged = 0;  // the policy under which the findings' schedule leads there
  std::vector<Finding> findings;
  std::vector<std::string> reasons;  // why it could not be judged, or not everything behind it be explored
  bool is_not_meant = false;         // by the program: then there is nothing to be found
};

struct Execution {
  // A way in which it ends under the first policy.
  struct Ending {
    Ending() = default;
    Ending(const history::Hash128& it, bool is_complete) : observed(it), complete(is_complete) {}

    history::Hash128 observed;  // its class
    bool complete = true;
    std::unique_ptr<Tag> tag = nullptr;  // null: nobody asked what it costs
  };
  // Some end that is not plainly good, under this policy; reported once per policy and look.
  struct RecordedEnd {
    history::Hash128 shape;
    std::uint32_t policy = 0;
  };

  std::optional<history::Hash128>
      decided;  // identifies what the exploration should reach once; none: nothing of the kind
  boost::container::small_vector<Ending, 1> endings;
  std::vector<RecordedEnd> recorded_ends;
  std::vector<Cause> causes;           // of the shapes among `recorded_ends` that were not seen before
  std::vector<reduction::Race> races;  // that it shows, at places where none was seen before
  std::optional<Branching>
      branching;  // of the answer that distinguishes it from earlier executions; none: it is the first

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
