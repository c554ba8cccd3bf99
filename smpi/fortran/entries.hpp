// SPDX-License-Identifier: MIT
//
// The entry points of MPI for Fortran by name.
//
// Names:  in lower case, without `p` before and `_` behind: mpi_send, mpi_send_f08ts. One entry point serves mpi_send_,
//         pmpi_send_, mpi_send__, MPI_SEND and, if its arguments have no buffer, mpi_comm_rank_f08_. Other libraries
//         have other names in mpi_f08: MPICH mpi_send_f08ts_large_ for mpi_send_c_f08ts_, and Open MPI mpi_send_f08_,
//         whose buffer is no descriptor.
#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "smpi/abi/call_scope.hpp"
#include "smpi/foreign_mpi.hpp"

namespace rehearse::smpi::fortran {

using EntryList = std::vector<std::pair<std::string_view, void*>>;

// The place of the entry point that calls this.
[[gnu::always_inline]] inline CallPlace fortran_place() {
  return {__builtin_return_address(0), __builtin_dwarf_cfa(), true};
}

template <class Function>
void* entry_address(Function* function) {
  return reinterpret_cast<void*>(function);
}

// For each binary interface: Standard, foreign::MpichFortran, foreign::OpenMpiFortran. Generated.
template <class Abi>
EntryList entries_1();
template <class Abi>
EntryList entries_2();
template <class Abi>
EntryList entries_3();
template <class Abi>
EntryList entries_4();
// Written by hand.
template <class Abi>
EntryList attribute_entries();
template <class Abi>
EntryList callback_entries();  // operators, error handlers, generalized requests
template <class Abi>
EntryList deprecated_entries();
template <class Abi>
EntryList language_entries();  // functions that only Fortran has, and those with another list of arguments

// `name` as the linker has it; `library`: for which the program was compiled, if not for the standard's ABI. Null:
// Fortran has no function of that name.
void* find_entry(std::string_view name, std::optional<ForeignMpi> library = std::nullopt);

}  // namespace rehearse::smpi::fortran
