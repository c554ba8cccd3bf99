// SPDX-License-Identifier: MIT
//
// Checks that a buffer has room for the data of a call. The sizes of heap blocks and variables are known; those on the
// stack if the program has debugging information.
//
// Rule:   what lies in the heap lies in one live block, and what begins in a variable ends in it. Displacements
//         in bytes may lead to other variables (MPI_BOTTOM), those in elements stay within one.
// Source: MPI 5.0, 5.1.12 (correct use of addresses: within one variable).
#pragma once

#include <string>

#include "mpi.h"
#include "smpi/datatype/datatype.hpp"

namespace rehearse::smpi {

// What is wrong with `count` > 0 elements of the type, which has data, at the address, to be said behind the name of
// the buffer: " is to be 40 bytes long, but..."; empty: nothing is known to be wrong.
std::string missing_room(const void* address, MPI_Count count, const Datatype& type);

// The same, and whether they are on the stack where no function of the program is active: our own functions are there.
// Room is looked at if somebody wants to know.
std::string missing_memory(const void* address, MPI_Count count, const Datatype& type);

}  // namespace rehearse::smpi
