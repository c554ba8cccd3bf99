// SPDX-License-Identifier: MIT
//
// Sizes and bounds of datatypes, and addresses.
#include <limits>

#include "smpi/abi/calls.hpp"
#include "smpi/datatype/table.hpp"
#include "smpi/datatype/type_calls.hpp"

namespace rehearse::smpi {
namespace {

int get_size(MPI_Datatype datatype, MPI_Count* size) {
  Arguments check;
  check.pointer(size, "size");
  const Datatype* type = any_type(check, datatype);
  if (type != nullptr) *size = type->size();
  return check.error();
}

int get_extent(MPI_Datatype datatype, MPI_Count* lower, MPI_Count* extent) {
  Arguments check;
  check.pointer(lower, "lb").pointer(extent, "extent");
  const Datatype* type = any_type(check, datatype);
  if (check.failed()) return check.error();
  *lower = type->lower_bound();
  *extent = type->extent();
  return MPI_SUCCESS;
}

int get_true_extent(MPI_Datatype datatype, MPI_Count* lower, MPI_Count* extent) {
  Arguments check;
  check.pointer(lower, "true_lb").pointer(extent, "true_extent");
  const Datatype* type = any_type(check, datatype);
  if (check.failed()) return check.error();
  *lower = type->true_lower_bound();
  *extent = type->true_extent();
  return MPI_SUCCESS;
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Type_size(MPI_Datatype datatype, int* size) {
  MPI_Count bytes = 0;
  const int error = get_size(datatype, size == nullptr ? nullptr : &bytes);
  if (error != MPI_SUCCESS) return error;
  *size = bytes > std::numeric_limits<int>::max() ? MPI_UNDEFINED : static_cast<int>(bytes);
  return MPI_SUCCESS;
}

int Type_size_c(MPI_Datatype datatype, MPI_Count* size) { return get_size(datatype, size); }

int Type_size_x(MPI_Datatype datatype, MPI_Count* size) { return get_size(datatype, size); }

int Type_get_extent(MPI_Datatype datatype, MPI_Aint* lb, MPI_Aint* extent) { return get_extent(datatype, lb, extent); }

int Type_get_extent_c(MPI_Datatype datatype, MPI_Count* lb, MPI_Count* extent) {
  return get_extent(datatype, lb, extent);
}

int Type_get_extent_x(MPI_Datatype datatype, MPI_Count* lb, MPI_Count* extent) {
  return get_extent(datatype, lb, extent);
}

int Type_get_true_extent(MPI_Datatype datatype, MPI_Aint* true_lb, MPI_Aint* true_extent) {
  return get_true_extent(datatype, true_lb, true_extent);
}

int Type_get_true_extent_c(MPI_Datatype datatype, MPI_Count* true_lb, MPI_Count* true_extent) {
  return get_true_extent(datatype, true_lb, true_extent);
}

int Type_get_true_extent_x(MPI_Datatype datatype, MPI_Count* true_lb, MPI_Count* true_extent) {
  return get_true_extent(datatype, true_lb, true_extent);
}

int Type_extent(MPI_Datatype datatype, MPI_Aint* extent) {
  MPI_Count lower = 0, whole = 0;
  const int error = get_extent(datatype, &lower, extent == nullptr ? nullptr : &whole);
  if (error == MPI_SUCCESS) *extent = whole;
  return error;
}

int Type_lb(MPI_Datatype datatype, MPI_Aint* displacement) {
  MPI_Count lower = 0, extent = 0;
  const int error = get_extent(datatype, displacement == nullptr ? nullptr : &lower, &extent);
  if (error == MPI_SUCCESS) *displacement = lower;
  return error;
}

int Type_ub(MPI_Datatype datatype, MPI_Aint* displacement) {
  MPI_Count lower = 0, extent = 0;
  const int error = get_extent(datatype, displacement == nullptr ? nullptr : &lower, &extent);
  if (error == MPI_SUCCESS) *displacement = lower + extent;
  return error;
}

int Get_address(const void* location, MPI_Aint* address) {
  if (address == nullptr) {
    Arguments check;
    return check.pointer(address, "address").error();
  }
  *address = reinterpret_cast<MPI_Aint>(location);
  return MPI_SUCCESS;
}

}  // namespace rehearse::smpi::calls
