// SPDX-License-Identifier: MIT
//
// What collectives with varying counts can say about their types without telling everybody everything: where all that a
// member moves is of one basic type, and it exchanges some of it with every other member, all others that say a type
// must say the same.
#pragma once

#include <cstdint>

#include "smpi/collective/blocks.hpp"
#include "smpi/communicator/communicator.hpp"

namespace rehearse::smpi {

// One number for the basic type; 0: no data, or not of one type.
std::uint64_t element_type(const Buffer& buffer);
// Of all blocks that hold data; 0 also if there are none, or they differ.
std::uint64_t element_type(const Blocks& blocks);

// Of all blocks; 0 also if one holds no data.
std::uint64_t element_type_for_all(const Blocks& blocks);

// Of an exchange of blocks; 0 also if there is a peer with which nothing is exchanged.
std::uint64_t element_type(const Blocks& sent, const Blocks& received, const Communicator& communicator);

// Reports if what a member gives itself is not what it takes.
void check_own_block(const Buffer& given, const Buffer& taken);

}  // namespace rehearse::smpi
