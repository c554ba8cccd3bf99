// SPDX-License-Identifier: MIT
//
// See foreign_entries.hpp.
#include "smpi/foreign/foreign_entries.hpp"

#include <unordered_map>

#include "smpi/foreign/mpich.hpp"
#include "smpi/foreign/open_mpi.hpp"
#include "smpi/fortran/entries.hpp"

namespace rehearse::smpi::foreign {
namespace {

using EntryTable = std::unordered_map<std::string_view, void*>;

template <class Abi>
EntryTable all_foreign_entries() {
  EntryTable all;
  for (const auto list : {entries_1<Abi>, entries_2<Abi>, entries_3<Abi>, entries_4<Abi>, callback_entries<Abi>})
    for (const auto& [name, function] : list()) all.emplace(name, function);
  return all;
}

// Made before main() starts, outside of any rank's memory, and never written afterwards.
const EntryTable mpich_entries = all_foreign_entries<Mpich>();
const EntryTable open_mpi_entries = all_foreign_entries<OpenMpi>();

// The values of two variables of MPICH's library.
struct MpichWeights {
  const void* unweighted = nullptr;
  const void* empty = nullptr;

  MpichWeights() {
    if (void* variable = find_program_object("MPI_UNWEIGHTED")) unweighted = *static_cast<void**>(variable);
    if (void* variable = find_program_object("MPI_WEIGHTS_EMPTY")) empty = *static_cast<void**>(variable);
  }
};

}  // namespace

void* find_entry(ForeignMpi library, std::string_view name) {
  const EntryTable& entries = library == ForeignMpi::mpich ? mpich_entries : open_mpi_entries;
  const auto found = entries.find(name.starts_with("PMPI_") ? name.substr(1) : name);
  return found == entries.end() ? fortran::find_entry(name, library) : found->second;
}

int* Mpich::weights_of(int* weights) {
  const auto& known = per_rank<MpichWeights>();
  if (weights != nullptr && weights == known.unweighted) return MPI_UNWEIGHTED;
  return weights != nullptr && weights == known.empty ? MPI_WEIGHTS_EMPTY : weights;
}

}  // namespace rehearse::smpi::foreign
