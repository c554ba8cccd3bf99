// SPDX-License-Identifier: MIT
//
// The entry points of MPI for Fortran by name.
//
// Names:  in lower case, without `p` before and `_` behind: mpi_send, mpi_send_f08ts. One entry point serves mpi_send_,
//         pmpi_send_, mpi_send__, MPI_SEND and, if its arguments have no buffer, mpi_comm_rank_f08_.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "smpi/abi/call_scope.hpp"

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

// Generated.
EntryList entries_1();
EntryList entries_2();
EntryList entries_3();
EntryList entries_4();
// Written by hand.
EntryList attribute_entries();
EntryList callback_entries();  // operators, error handlers, generalized requests
EntryList deprecated_entries();
EntryList language_entries();  // functions that only Fortran has, and those with another list of arguments

// Null: Fortran has no function of that name. `name` as the linker has it.
void* find_entry(std::string_view name);

}  // namespace rehearse::smpi::fortran
