// SPDX-License-Identifier: MIT
//
// The library's data about Fortran: the types of gfortran 12 on x86-64. A Fortran layer can read them, but not set
// them.
//
// Errors: returned, never raised, because these functions may be called before MPI is started.
// Source: MPI 5.0, 20.4 (the properties, and MPI_ERR_ABI for a second call that sets them).
#include <cstring>
#include <string>

#include "simcore/support/format.hpp"
#include "smpi/abi/calls.hpp"
#include "smpi/info/info.hpp"

namespace rehearse::smpi {
namespace {

constexpr int largest_logical = 16;  // bytes

bool is_logical_size(int bytes) { return 0 < bytes && bytes <= largest_logical && (bytes & (bytes - 1)) == 0; }

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Abi_get_fortran_info(MPI_Info* info) {
  if (info == nullptr) return MPI_ERR_ARG;
  Hints hints = {{"mpi_character_size", "1"},
                 {"mpi_logical_size", "4"},
                 {"mpi_integer_size", "4"},
                 {"mpi_real_size", "4"},
                 {"mpi_double_precision_size", "8"}};
  const auto supports = [&](const char* type, std::initializer_list<int> sizes) {
    for (const int size : sizes) hints.emplace_back(fmt::format("mpi_{}{}_supported", type, size), "true");
  };
  supports("logical", {1, 2, 4, 8, 16});
  supports("integer", {1, 2, 4, 8, 16});
  supports("real", {4, 8, 16});
  hints.emplace_back("mpi_real2_supported", "false");
  supports("complex", {8, 16, 32});
  hints.emplace_back("mpi_complex4_supported", "false");
  hints.emplace_back("mpi_double_complex_supported", "true");
  *info = add_info(std::move(hints));
  return MPI_SUCCESS;
}

int Abi_set_fortran_info(MPI_Info info) { return find_hints(info) == nullptr ? MPI_ERR_INFO : MPI_ERR_ABI; }

// Little-endian: the first byte is the lowest.
int Abi_get_fortran_booleans(int logical_size, void* logical_true, void* logical_false, int* is_set) {
  if (!is_logical_size(logical_size) || is_set == nullptr || logical_true == nullptr || logical_false == nullptr)
    return MPI_ERR_ARG;
  const auto bytes = static_cast<std::size_t>(logical_size);
  std::memset(logical_false, 0, bytes);
  std::memset(logical_true, 0, bytes);
  *static_cast<char*>(logical_true) = 1;
  *is_set = 1;
  return MPI_SUCCESS;
}

int Abi_set_fortran_booleans(int logical_size, void*, void*) {
  return is_logical_size(logical_size) ? MPI_ERR_ABI : MPI_ERR_ARG;
}

}  // namespace rehearse::smpi::calls
