// SPDX-License-Identifier: MIT
//
// Handles as integers, for languages that have no pointers (MPI_*_toint, MPI_*_fromint, MPI_*_c2f, MPI_*_f2c).
//
// Shape:   predefined handles keep their value; handles that the program made are numbered from 4096 in the order of
//          their first conversion, and keep their number.
// Threads: one table per rank; only on a rank.
#pragma once

namespace rehearse::smpi {

int integer_of_handle(const void* handle);

// Null if no handle of the calling rank has that number.
void* handle_of_integer(int number);

}  // namespace rehearse::smpi
