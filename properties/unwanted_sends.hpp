// SPDX-License-Identifier: MIT
//
// Cancelled sends whose messages arrived (simcore/provisional.hpp).
#pragma once

#include "simcore/outcome.hpp"

namespace rehearse::properties {

bool is_unwanted(const Outcome& outcome, const PendingRequest& send);

}  // namespace rehearse::properties
