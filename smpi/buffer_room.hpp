// SPDX-License-Identifier: MIT
//
// Checks that a buffer is large enough for the data of a call. The sizes of heap blocks and global variables are known.
// The sizes of variables on the stack are known if the program has debugging information.
//
// Rule:   data in the heap lies in one live block, and data that begins in a variable ends in it. Displacements in
//         bytes may lead to other variables (MPI_BOTTOM); displacements in elements stay within one.
// Source: MPI 5.0, 5.1.12 (correct use of addresses: within one variable).
#pragma once

#include <string>

#include "mpi.h"
#include "smpi/datatype/datatype.hpp"

namespace rehearse::smpi {

// The error in a buffer of `count` > 0 elements at the address, as text that follows the name of the buffer: " must be
// 40 bytes long, but..."; empty: no known error. The size of the type is not 0.
std::string find_size_error(const void* address, MPI_Count count, const Datatype& type);

// The same, and also an error if the address is on the stack below the frames of the program's active functions: only
// our own functions use that memory. Checks the size only if BufferChecks::room is on.
std::string find_memory_error(const void* address, MPI_Count count, const Datatype& type);

}  // namespace rehearse::smpi
