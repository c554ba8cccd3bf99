// SPDX-License-Identifier: MIT
//
// Names of missing functions. Fortran names are in lower case with one or two underscores at the end, as in gfortran
// and f2c; names of the C++ bindings are in namespace MPI, mangled as by gcc.
#include "smpi/process/refusals.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace rehearse::smpi {
namespace {

bool begins_with_one_of(std::string_view symbol, std::initializer_list<std::string_view> beginnings) {
  return std::ranges::any_of(beginnings, [&](std::string_view each) { return symbol.starts_with(each); });
}

bool is_fortran(std::string_view symbol) {
  return begins_with_one_of(symbol, {"mpi_", "pmpi_"}) && symbol.ends_with('_');
}

bool is_cxx_binding(std::string_view symbol) {
  return begins_with_one_of(symbol, {"_ZN3MPI", "_ZNK3MPI", "_ZTVN3MPI", "_ZTIN3MPI"});
}

}  // namespace

bool is_name_of_mpi(std::string_view symbol) {
  return begins_with_one_of(symbol, {"MPI_", "PMPI_", "MPIX_", "PMPIX_"}) || is_fortran(symbol) ||
         is_cxx_binding(symbol);
}

std::string reason_unknown(std::string_view symbol) {
  if (is_fortran(symbol)) return "not a procedure of the MPI standard";
  if (is_cxx_binding(symbol)) return "MPI-3.0 removed the C++ bindings, namespace MPI; C++ calls the functions of C";
  if (begins_with_one_of(symbol, {"MPIX_", "PMPIX_"})) return "an extension of another MPI library";
  if (begins_with_one_of(symbol, {"MPI_", "PMPI_"})) return "not a function of the MPI standard";
  return {};
}

}  // namespace rehearse::smpi
