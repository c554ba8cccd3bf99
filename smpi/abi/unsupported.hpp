// SPDX-License-Identifier: MIT
//
// The end of calls of MPI functions that this library does not implement yet.
//
// Errors: the rank fails (unsupported, id unsupported.function) with the function's name.
#pragma once

#include <cstdint>

#include "mpi.h"

namespace rehearse::smpi {

// `function` indexes functions().
[[noreturn]] void unsupported_function(std::uint16_t function);

// The value as an int, for a large-count function that calls its classic form.
int narrow_count(MPI_Count value, std::uint16_t function);

}  // namespace rehearse::smpi
