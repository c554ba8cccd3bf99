// SPDX-License-Identifier: MIT
//
// Barriers that no execution needs: hints of `check --needless-barriers`.
//
// Method:  a barrier can only prevent executions: each execution that is possible with it is also possible without it.
//          For each place with a barrier, the program is explored again with a barrier there that does nothing. If the
//          number of executions is the same, and none has a finding, the executions are the same.
// Limits:  a barrier may determine the order of output: there are no hints for programs in which several ranks write to
//          their standard streams. The order in which files are written and the measurements of clocks are not
//          compared; the text of the hint says so.
// Process: each exploration is in a separate process, for about `seconds`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/job.hpp"
#include "mc/explore.hpp"
#include "simcore/outcome.hpp"

namespace rehearse::app {

// The reports of an exploration with BarrierSearch::reports.
struct BarriersSeen {
  struct Barrier {
    std::uint64_t place = 0;
    Finding reported;
  };
  std::vector<Barrier> barriers;
  std::vector<ActorId> writers;
};

// Removes these reports from the findings.
BarriersSeen take_barriers(std::vector<Finding>& findings);

struct BarrierHints {
  std::vector<Finding> hints;  // one note for each needless barrier
  std::string left_out;        // the number of places that were not tested, and the reason; empty: none
};

// `verdict`: of the whole exploration, which is verified.
BarrierHints needless_barriers(const Job& program, const mc::ExploreOptions& how, const Judge& judge,
                               const mc::Verdict& verdict, const BarriersSeen& seen, double seconds);

}  // namespace rehearse::app
