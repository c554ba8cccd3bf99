// SPDX-License-Identifier: MIT
//
// Checks whether the memory of a buffer has the type that the program passes to MPI. The type of a variable is that of
// its declaration. The type of heap memory is that of the pointers to it. A Fortran descriptor decides before both.
//
// Rule:   each basic element of the datatype lies where the variable has a scalar of the same kind and size. All types
//         of one byte match everything, as do MPI_PACKED, characters, unions, padding, and memory of unknown type. If
//         several variables or pointers have the address, one that fits is enough.
// Limits: only the first elements of a buffer are checked. Buffers in the heap, and derived datatypes on described
//         buffers, are checked only in the first calls at each place. Variables on the stack are not compared in
//         optimized code, where another object may have their memory.
// Source: MPI 5.0, 3.3.1 (the type of the variables matches the type that the call names), tables 3.1 to 3.4.
#pragma once

#include <string_view>

#include "mpi.h"
#include "smpi/datatype/datatype.hpp"

namespace rehearse::smpi {

// Reports (buffer.type, buffer.signedness) once for each place of a call. `count` is above 0, the size of the type is
// not 0, and `name` is that of the buffer.
void check_element_types(const void* address, MPI_Count count, const Datatype& type, std::string_view name);

}  // namespace rehearse::smpi
