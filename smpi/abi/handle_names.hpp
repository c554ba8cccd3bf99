// SPDX-License-Identifier: MIT
//
// The names of the program's handles in reports.
#pragma once

#include <cstdint>
#include <string>

#include "smpi/abi/api.hpp"

namespace rehearse::smpi {

// The name of a handle that is not predefined; must not depend on addresses. Empty: unknown, and the report shows
// the parameter's name. Runs on the rank that passed the handle. The handle may be wrong (freed, never created).
std::string name_of_handle(Kind kind, std::uint64_t value);

// Whether the displacements of this datatype of the program are absolute addresses instead of distances from a buffer.
// That is so if they are too large for distances. Runs as name_of_handle.
bool has_absolute_addresses(std::uint64_t datatype);

}  // namespace rehearse::smpi
