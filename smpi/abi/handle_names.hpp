// SPDX-License-Identifier: MIT
//
// The names of the program's handles in reports.
#pragma once

#include <cstdint>
#include <string>

#include "smpi/abi/api.hpp"

namespace rehearse::smpi {

// There is a weak definition that knows no names (call_printer.cpp), until smpi/ has one: delete it then, for a
// linker takes a second definition out of an archive only where something else needs its object file.
//
// The name of a handle that is not predefined; must not depend on addresses. Empty: unknown, and the report shows the
// parameter's name. Runs on the rank that owns the handle, which may be wrong (freed, never made).
std::string name_of_handle(Kind kind, std::uint64_t value);

// Whether the elements of this datatype of the program lie at addresses instead of at distances from a buffer: they
// begin farther away than any buffer is long that begins at address 0. As name_of_handle.
bool has_absolute_addresses(std::uint64_t datatype);

}  // namespace rehearse::smpi
