// SPDX-License-Identifier: MIT
//
// Checks of types in collectives with varying counts, without sending all types to all members. If all data of a member
// has one basic type, and it exchanges data with every other member, all other members with a known type must have the
// same one. Other data is compared pair by pair: each member sends the types of its blocks, and the receiver of a block
// compares them.
//
// Source:  MPI 4.1, 6.5 to 6.8: what a process sends must have the type signature that the other expects of it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "smpi/collective/blocks.hpp"
#include "smpi/communicator/communicator.hpp"
#include "smpi/request/request.hpp"

namespace rehearse::smpi {

// One number for the basic type; 0: no data, or not of one type.
std::uint64_t element_type(const Buffer& buffer);
// Of all blocks that hold data; 0 also if there are none, or they differ.
std::uint64_t element_type(const Blocks& blocks);

// Of all blocks; 0 also if one holds no data.
std::uint64_t element_type_for_all(const Blocks& blocks);

// Of an exchange of blocks; 0 also if there is a peer with which nothing is exchanged.
std::uint64_t element_type(const Blocks& sent, const Blocks& received, const Communicator& communicator);

// What a member says of the types of its blocks, for Plan::types: one number that is element_type() of all of them, or
// the signature of each; of a single block that all are given, its signature. Empty: no data.
std::vector<std::uint64_t> types_of(const Blocks& blocks);

// A block that the caller takes, of as many bytes as it expects.
struct TakenBlock {
  const Communicator& communicator;
  int giver = 0;  // of the peers
  Buffer buffer;
};
// How the types differ that its giver says; nothing: they do not, or that is not known.
TypeMismatch type_mismatch(const TakenBlock& taken, const Remark& said);

// Reports if what a member gives itself is not what it takes.
void check_own_block(const Buffer& given, const Buffer& taken);

}  // namespace rehearse::smpi
