// SPDX-License-Identifier: MIT
//
// The entry points of MPI for programs, and the text of a rank's current call for reports.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "smpi/abi/api.hpp"

namespace rehearse::smpi {

// The entry point of `MPI_X` or `PMPI_X` (both do the same), or of a Fortran procedure (`mpi_x_`); null if MPI has no
// function of that name. `MPI_X@MPICH` and `MPI_X@Open MPI`: the one for programs that were compiled for that library.
// Every function of the ABI has one. A call of a function that is not implemented ends the rank.
void* find_mpi_symbol(std::string_view name);

// Prints the call in C syntax: `MPI_Recv(buf, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &status)`. Addresses are
// never printed (parameters that point somewhere stand for themselves), so that equal calls have equal texts in every
// run. `words` has one word per parameter of the function (call_scope.hpp).
std::string print_call(const FunctionInfo& function, std::span<const std::uint64_t> words);

// The innermost MPI call of the calling rank; empty outside of MPI. Only on a rank.
std::string print_current_call();

// The return address of that call, a place in the program; null outside of MPI. Only on a rank.
const void* current_call_site();
// As current_call_site(), of the rank with this actor_slot(). Can be called anywhere.
const void* call_site_of(const void* slot);
// The function of that call: its index in functions() plus one; 0 outside of MPI.
std::uint64_t call_function_of(const void* slot);
// The number of that call among the rank's calls, from 1 on; 0 outside of MPI.
std::uint64_t call_number_of(const void* slot);

}  // namespace rehearse::smpi
