// SPDX-License-Identifier: MIT
//
// Makes the Operation of a Node independent of the memory of its actor.
#pragma once

#include "mc/history/history.hpp"

namespace rehearse::mc::history {

// What it points to is copied into the node, large data, of which `data_hash` must be set, into the store.
void own_operation(Node& node, DataStore& store);

}  // namespace rehearse::mc::history
