// SPDX-License-Identifier: MIT
//
// Inlined functions around an address, with readable names that the symbol table does not have.
//
// Errors: what a file's debugging information does not say is left empty.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simcore/program.hpp"

namespace rehearse {

// The functions whose code is at `address` of the file, innermost first: those that were made part of their callers,
// then the one that has the code, whose name is empty where that of its symbol will do. Each with where it calls the
// one before; of the first the line table has the line.
std::vector<Frame> functions_around(const std::string& path, std::uint64_t address);

// The name of a symbol as people write it: C++ without its decoration, procedures of Fortran modules as
// module::procedure, and without the compiler's suffixes (.cold, .isra.0).
std::string readable_name(const std::string& symbol);

}  // namespace rehearse
