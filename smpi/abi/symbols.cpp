// SPDX-License-Identifier: MIT
//
// Finds the entry points for the names that programs import.
#include <algorithm>

#include "smpi/abi.hpp"
#include "smpi/foreign/foreign_entries.hpp"
#include "smpi/fortran/entries.hpp"

namespace rehearse::smpi {

void* find_mpi_symbol(std::string_view name) {
  if (const std::size_t at = name.find('@'); at != std::string_view::npos)
    for (const ForeignMpi library : {ForeignMpi::mpich, ForeignMpi::open_mpi})
      if (name.substr(at + 1) == name_of(library)) return foreign::find_entry(library, name.substr(0, at));
  if (name.starts_with("mpi_") || name.starts_with("pmpi_")) return fortran::find_entry(name);
  if (name.starts_with("PMPI_") || name.starts_with("PMPIX_")) name.remove_prefix(1);
  const std::span<const FunctionInfo> all = functions();
  const auto found = std::ranges::lower_bound(all, name, {}, &FunctionInfo::name);
  if (found == all.end() || found->name != name) return fortran::find_entry(name);
  return entry_points()[static_cast<std::size_t>(found - all.begin())];
}

}  // namespace rehearse::smpi
