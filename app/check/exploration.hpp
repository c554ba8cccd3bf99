// SPDX-License-Identifier: MIT
//
// The exploration of a check, and the judges that all explorations of one request share.
#pragma once

#include <string>
#include <vector>

#include "app/check.hpp"
#include "simcore/outcome.hpp"

namespace rehearse::app {

// Judges report what the request selects; they hold a copy of the selection.
Judge judge_of(const properties::Selection& selection);

// Of all explorations of the request: its options with hooks that judge, and no others.
mc::ExploreOptions judged_options(const CheckRequest& request);

struct Explored {
  mc::Verdict verdict;
  double seconds = 0;
  std::vector<BranchingPlace> branchings;
  std::string platform;   // on which times were predicted; empty: they were not
  std::string remaining;  // work of an exploration that stopped and is to be saved
};

// The hooks of the explorer live in options of its own, and no longer than this call; nor does the program.
Result<Explored> explore(const CheckRequest& request, const CheckHooks& hooks);

}  // namespace rehearse::app
