// SPDX-License-Identifier: MIT
//
// How `rehearse` ends, for scripts. 70, a broken invariant of ours, comes from REHEARSE_ASSERT.
#pragma once

namespace rehearse::app {

enum ExitStatus : int {
  exit_good = 0,
  exit_violation = 1,     // something is wrong with the user's program
  exit_bad_input = 2,     // something is wrong with what the user gave us
  exit_inconclusive = 3,  // a bound was reached, or something is not supported
};

}  // namespace rehearse::app
