// SPDX-License-Identifier: MIT
//
// Sends whose message is not wanted to arrive any more (simcore/provisional.hpp).
#pragma once

#include "simcore/outcome.hpp"

namespace rehearse::properties {

bool is_unwanted(const Outcome& outcome, const PendingRequest& send);

}  // namespace rehearse::properties
