// SPDX-License-Identifier: MIT
//
// The names of other MPI libraries' Fortran procedures.
#pragma once

#include <string>
#include <string_view>

namespace rehearse::smpi::foreign {

// The name by which smpi/fortran/entries.hpp knows the procedure, without underscores at its end: of procedures of
// modules (comparisons of handles, predefined callbacks, MPI_SIZEOF), and of MPICH's functions with large counts and
// its PMPI names. Another name stays as it is. `name`: of the linker, in lower case.
std::string standard_fortran_name(std::string_view name);

}  // namespace rehearse::smpi::foreign
