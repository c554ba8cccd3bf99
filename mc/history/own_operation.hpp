// SPDX-License-Identifier: MIT
//
// Copies the data of a Node's Operation, which are in the memory of the actor.
#pragma once

#include "mc/history/history.hpp"

namespace rehearse::mc::history {

// Copies the data that the operation points to into the node, and large data into the store. Node::data_hash must be
// set.
void own_operation(Node& node, DataStore& store);

}  // namespace rehearse::mc::history
