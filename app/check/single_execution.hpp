// SPDX-License-Identifier: MIT
//
// The search of one execution, which teaches what an exploration must know before it begins: a search of all executions
// repeats all of them before it can start again.
#pragma once

#include "app/check.hpp"

namespace rehearse::app {

// The request to explore one execution at random, without helpers, predictions and comparisons of executions.
CheckRequest single_execution_of(const CheckRequest& request);

}  // namespace rehearse::app
