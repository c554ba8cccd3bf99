// SPDX-License-Identifier: MIT
//
// Handles as integers, for languages that have no pointers (Fortran; MPI_*_toint, MPI_*_fromint, MPI_*_c2f, MPI_*_f2c).
//
// Shape:   predefined handles keep their value. Of another handle (handle_registry.hpp) the integer has the kind, the
//          slot and the lowest bits of the generation: bits 0-3 kind | 4-23 slot | 24-30 generation. So the integer of
//          a freed object differs from that of the next object in the slot, and memory grows only with the number of
//          objects that live at once.
// Threads: one table per rank; only on a rank.
#pragma once

#include <cstdint>
#include <optional>

namespace rehearse::smpi {

int integer_of_handle(const void* handle);

// The handle; after the end of its object a handle that no object has. Null if no handle of the calling rank ever had
// that integer.
void* handle_of_integer(int number);

// The same, but a handle that never existed instead of null, so that the check of the argument reports it.
void* argument_of_integer(int number);

// The integer, of a result of argument_of_integer() that never existed.
std::optional<std::uint32_t> integer_of_no_handle(const void* handle);

}  // namespace rehearse::smpi
