// SPDX-License-Identifier: MIT
//
// Functions of MPI-1 that MPI-3.0 removed, but that Fortran programs still call: addresses, extents and displacements
// are INTEGER.
//
// Errors: an address or extent that does not fit into an INTEGER ends the rank by name; the program needs
//         MPI_Get_address and its kin.
#include <limits>
#include <string>
#include <vector>

#include "smpi/abi/dead_stack.hpp"
#include "smpi/abi/entered.hpp"
#include "smpi/error.hpp"
#include "smpi/foreign/fortran_abi.hpp"
#include "smpi/fortran/conversion.hpp"
#include "smpi/fortran/entries.hpp"

namespace rehearse::smpi::fortran {
namespace {

int integer_of(MPI_Aint value, const char* function) {
  if (value >= std::numeric_limits<int>::min() && value <= std::numeric_limits<int>::max())
    return static_cast<int>(value);
  unsupported(std::string(function) + " with a result that does not fit into an INTEGER");
}

std::vector<MPI_Aint> widened(const int* values, int count) {
  return count > 0 ? std::vector<MPI_Aint>(values, values + count) : std::vector<MPI_Aint>(1);
}

template <class Abi>
void address(const void* location, int* result, int* ierror) {
  const DeadStack dead_stack;
  MPI_Aint found = 0;
  const int code = entered::Address(fortran_place(), choice_of<Abi>(location), &found);
  if (code == MPI_SUCCESS) *result = integer_of(found, "MPI_ADDRESS");
  give_result<Abi>(ierror, code);
}

template <class Abi>
void type_extent(const int* type, int* extent, int* ierror) {
  const DeadStack dead_stack;
  MPI_Aint found = 0;
  const int code = entered::Type_extent(fortran_place(), handle_of<Abi, MPI_Datatype>(type), &found);
  if (code == MPI_SUCCESS) *extent = integer_of(found, "MPI_TYPE_EXTENT");
  give_result<Abi>(ierror, code);
}

template <class Abi>
void type_lb(const int* type, int* bound, int* ierror) {
  const DeadStack dead_stack;
  MPI_Aint found = 0;
  const int code = entered::Type_lb(fortran_place(), handle_of<Abi, MPI_Datatype>(type), &found);
  if (code == MPI_SUCCESS) *bound = integer_of(found, "MPI_TYPE_LB");
  give_result<Abi>(ierror, code);
}

template <class Abi>
void type_ub(const int* type, int* bound, int* ierror) {
  const DeadStack dead_stack;
  MPI_Aint found = 0;
  const int code = entered::Type_ub(fortran_place(), handle_of<Abi, MPI_Datatype>(type), &found);
  if (code == MPI_SUCCESS) *bound = integer_of(found, "MPI_TYPE_UB");
  give_result<Abi>(ierror, code);
}

template <class Abi>
void type_hvector(const int* count, const int* block, const int* stride, const int* type, int* f_made, int* ierror) {
  const DeadStack dead_stack;
  HandleVariable<Abi, MPI_Datatype> made(f_made);
  give_result<Abi>(ierror, entered::Type_hvector(fortran_place(), *count, *block, *stride,
                                                 handle_of<Abi, MPI_Datatype>(type), made.address()));
}

template <class Abi>
void type_hindexed(const int* count, int* blocks, const int* places, const int* type, int* f_made, int* ierror) {
  const DeadStack dead_stack;
  HandleVariable<Abi, MPI_Datatype> made(f_made);
  std::vector<MPI_Aint> wide = widened(places, *count);
  give_result<Abi>(ierror, entered::Type_hindexed(fortran_place(), *count, blocks, wide.data(),
                                                  handle_of<Abi, MPI_Datatype>(type), made.address()));
}

template <class Abi>
void type_struct(const int* count, int* blocks, const int* places, int* f_types, int* f_made, int* ierror) {
  const DeadStack dead_stack;
  HandleVariable<Abi, MPI_Datatype> made(f_made);
  std::vector<MPI_Aint> wide = widened(places, *count);
  const HandleList<Abi, MPI_Datatype> types(f_types, *count);
  give_result<Abi>(ierror,
                   entered::Type_struct(fortran_place(), *count, blocks, wide.data(), types.handles(), made.address()));
}

}  // namespace

template <class Abi>
EntryList deprecated_entries() {
  return {
      {"mpi_address", entry_address(address<Abi>)},           {"mpi_type_extent", entry_address(type_extent<Abi>)},
      {"mpi_type_lb", entry_address(type_lb<Abi>)},           {"mpi_type_ub", entry_address(type_ub<Abi>)},
      {"mpi_type_hvector", entry_address(type_hvector<Abi>)}, {"mpi_type_hindexed", entry_address(type_hindexed<Abi>)},
      {"mpi_type_struct", entry_address(type_struct<Abi>)}};
}

template EntryList deprecated_entries<Standard>();
template EntryList deprecated_entries<foreign::MpichFortran>();
template EntryList deprecated_entries<foreign::OpenMpiFortran>();

}  // namespace rehearse::smpi::fortran
