// SPDX-License-Identifier: MIT
//
// The wrapper compilers for Fortran, which Rehearse does not support. They report that; otherwise the linker
// would fail.
#pragma once

#include <string>
#include <string_view>

#include "app/cli/verbs.hpp"

namespace rehearse::cli {

inline constexpr std::string_view fortran_refusal =
    "Rehearse has no MPI for Fortran; accepted: C (mpicc, rehearse cc) and C++ (mpicxx, rehearse c++)";

// The first Fortran source among a compiler's arguments, or nothing.
std::string fortran_source(const Arguments& arguments);

// Prints an error with the name of the source; returns exit_bad_input.
int run_fortran_compiler(const Arguments& arguments);

}  // namespace rehearse::cli
