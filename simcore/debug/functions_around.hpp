// SPDX-License-Identifier: MIT
//
// Inlined functions around an address, with readable names that the symbol table does not have.
//
// Errors: information that a file does not have is left empty.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simcore/program.hpp"

namespace rehearse {

// The functions whose code is at `address` of the file, innermost first: the inlined functions, then the one that
// contains them, whose name is empty if the name of its symbol is good enough. Each has the line of its call of the
// previous one; for the first, the line table has the line.
std::vector<Frame> functions_around(const std::string& path, std::uint64_t address);

// The name of a symbol as in the source: C++ names demangled, procedures of Fortran modules as
// module::procedure, and without the compiler's suffixes (.cold, .isra.0).
std::string readable_name(const std::string& symbol);

}  // namespace rehearse
