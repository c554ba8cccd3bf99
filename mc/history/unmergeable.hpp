// SPDX-License-Identifier: MIT
//
// What searches over states, instead of executions, do not support.
#pragma once

#include <string>

#include "mc/history/history.hpp"

namespace rehearse::mc::history {

// The feature in the Node's operation, or in what the actor did before; empty: none.
std::string unmergeable_in(const Node& node);

}  // namespace rehearse::mc::history
