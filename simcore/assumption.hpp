// SPDX-License-Identifier: MIT
//
// Executions that a program does not mean.
#pragma once

#include <string_view>

namespace rehearse {

// The id of the Fail (unsupported) by which an actor says that this execution is none that its program means: nothing
// that happens in it is a finding, and that it was left out is an assumption of the verdict.
inline constexpr std::string_view assumption_failed_id = "unsupported.assumption";

}  // namespace rehearse
