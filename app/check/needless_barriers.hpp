// SPDX-License-Identifier: MIT
//
// Barriers that no execution needs: hints of `check --needless-barriers`.
//
// Method:  a barrier can only keep executions from happening: each that is possible with it is possible without it. So
//          the program is explored once more for each place that calls one, where that does nothing. Are there as many
//          executions as before, and nothing is wrong with them, they are the same ones.
// Limits:  what keeps the order of output is left alone: nothing is said of programs of which several ranks write to
//          their standard streams. Order of files, and what a clock measures, is not seen; the text says so.
// Ownership: each exploration is in a process of its own, for about so many seconds.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/job.hpp"
#include "mc/explore.hpp"
#include "simcore/outcome.hpp"

namespace rehearse::app {

// The reports of an exploration with BarrierLook::reports.
struct BarriersSeen {
  struct Barrier {
    std::uint64_t place = 0;
    Finding reported;
  };
  std::vector<Barrier> barriers;
  std::vector<ActorId> writers;
};

// Takes it out of the findings.
BarriersSeen take_barriers(std::vector<Finding>& findings);

struct BarrierHints {
  std::vector<Finding> hints;  // one note for each
  std::string left_out;        // of how many places nothing is known, and why; empty: of none
};

// `verdict`: of the whole exploration, which found nothing.
BarrierHints needless_barriers(const Job& program, const mc::ExploreOptions& how, const Judge& judge,
                               const mc::Verdict& verdict, const BarriersSeen& seen, double seconds);

}  // namespace rehearse::app
