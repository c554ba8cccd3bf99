// SPDX-License-Identifier: MIT
//
// The exploration of a check, and the judges that all explorations of one request share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/check.hpp"
#include "app/check/rank_states.hpp"
#include "simcore/outcome.hpp"

namespace rehearse::app {

// Judges report what the request selects; they hold a copy of the selection.
Judge judge_of(const properties::Selection& selection);

// The options of all explorations of the request: its own, with hooks that judge and no other hooks.
mc::ExploreOptions judged_options(const CheckRequest& request);

// The end of the reason of an exploration that met something unsupported.
inline constexpr std::string_view not_supported_yet = " is not supported yet";

struct Explored {
  mc::Verdict verdict;
  double seconds = 0;
  std::vector<BranchingPlace> branchings;
  std::string platform;               // of predicted times; empty: none were predicted
  std::string remaining;              // work to save of an exploration that stopped
  std::optional<RankStates> endless;  // of the search for an execution that never ends, if there was one
  std::string proof;                  // to be written; empty: none, or not requested
};

// The hooks of the explorer, and the program, live only during this call.
Result<Explored> explore(const CheckRequest& request, const CheckHooks& hooks);

}  // namespace rehearse::app
