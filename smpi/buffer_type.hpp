// SPDX-License-Identifier: MIT
//
// Whether the memory that a program names for a buffer is of the type that it names: variables of the stack and global
// ones by their declaration, the heap by the pointers that point there.
//
// Rule:   each basic element of the datatype lies where the variable has a scalar of the same kind and size. All types
//         of one byte match everything, as do MPI_PACKED, characters, unions, padding, and what is not known. Where
//         several variables or pointers have the address, one that fits is enough.
// Limits: of a buffer the first elements are looked at, and buffers in the heap in the first calls at each place.
// Source: MPI 5.0, 3.3.1 (the type of the variables matches the type that the call names), tables 3.1 to 3.4.
#pragma once

#include <string_view>

#include "mpi.h"
#include "smpi/datatype/datatype.hpp"

namespace rehearse::smpi {

// Reports (buffer.type, buffer.signedness) once for each place of a call. `count` > 0 elements of the type, which has
// data; `name` of the buffer.
void check_element_types(const void* address, MPI_Count count, const Datatype& type, std::string_view name);

}  // namespace rehearse::smpi
