// SPDX-License-Identifier: MIT
//
// The exit statuses of `rehearse`. 70, a broken invariant of Rehearse, comes from REHEARSE_ASSERT.
#pragma once

namespace rehearse::app {

enum ExitStatus : int {
  exit_good = 0,
  exit_violation = 1,     // a fault of the user's program
  exit_bad_input = 2,     // a fault of the input
  exit_inconclusive = 3,  // a reached bound, or an unsupported call
};

}  // namespace rehearse::app
