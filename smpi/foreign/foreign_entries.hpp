// SPDX-License-Identifier: MIT
//
// The entry points of MPI for programs that were compiled for another MPI library, by name.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "smpi/foreign_mpi.hpp"

namespace rehearse::smpi::foreign {

using EntryList = std::vector<std::pair<std::string_view, void*>>;

template <class Function>
void* entry_address(Function* function) {
  return reinterpret_cast<void*>(function);
}

// Generated.
template <class Abi>
EntryList entries_1();
template <class Abi>
EntryList entries_2();
template <class Abi>
EntryList entries_3();
template <class Abi>
EntryList entries_4();
// Written by hand: functions with callbacks.
template <class Abi>
EntryList callback_entries();

// `MPI_X`, `PMPI_X`, a function of the library itself to which its mpi.h refers, or a name of Fortran. Null: none.
void* find_entry(ForeignMpi library, std::string_view name);

}  // namespace rehearse::smpi::foreign
