// SPDX-License-Identifier: MIT
//
// Checks of types in collectives with varying counts, without sending all types to all members. If all data of a member
// has one basic type, and it exchanges data with every other member, then every other member with a known type must
// have the same type. Other data is compared pair by pair: each member sends the types of its blocks, and the receiver
// of a block compares them.
//
// Source:  MPI 4.1, 6.5 to 6.8: the data that a process sends must have the type signature that the receiver expects.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "smpi/collective/blocks.hpp"
#include "smpi/communicator/communicator.hpp"
#include "smpi/request/request.hpp"

namespace rehearse::smpi {

// One number for the basic type; 0: no data, or data of several types.
std::uint64_t element_type(const Buffer& buffer);
// The common type of all blocks that hold data; 0 if there are none or their types differ.
std::uint64_t element_type(const Blocks& blocks);

// The common type of all blocks; 0 also if one holds no data.
std::uint64_t element_type_for_all(const Blocks& blocks);

// The common type of an exchange of blocks; 0 also if the caller exchanges no data with one of its peers.
std::uint64_t element_type(const Blocks& sent, const Blocks& received, const Communicator& communicator);

// The types of a member's blocks, for Plan::types: one number if element_type() is the same for all, otherwise the
// signature of each. If all peers get one and the same block, its signature. Empty: no data.
std::vector<std::uint64_t> types_of(const Blocks& blocks);

// A block that the caller receives. Its length is the expected one.
struct TakenBlock {
  const Communicator& communicator;
  int giver = 0;  // of the peers
  Buffer buffer;
};
// The difference between the types of a block and those that its sender reports; empty: they agree, or the types are
// not known.
TypeMismatch type_mismatch(const TakenBlock& taken, const Remark& remark);

// Reports a member that sends itself other types than it receives.
void check_own_block(const Buffer& given, const Buffer& taken);

}  // namespace rehearse::smpi
