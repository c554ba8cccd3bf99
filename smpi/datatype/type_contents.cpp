// SPDX-License-Identifier: MIT
//
// The construction of a datatype, and the search for predefined ones by their properties.
//
// Source: MPI 5.0, 5.1.13 (decoding), 19.1.5 (matching by size), 6.9.4 (value-index pairs).
#include <algorithm>
#include <string>

#include "simcore/support/format.hpp"
#include "smpi/abi/calls.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/datatype/table.hpp"
#include "smpi/datatype/type_calls.hpp"

namespace rehearse::smpi {
namespace {

// A handle for a part of a type: the predefined one, or a new one, which the program must free.
MPI_Datatype handle_of_part(const DatatypeRef& type) {
  for (const auto& [request, handle] : datatypes().fortran)
    if (datatypes().find(handle) == type.get()) return handle;
  if (type->basic() != nullptr) return type->basic()->handle;
  // The type was made by this rank, so a handle to it may change it although the reference is const.
  Ref<Datatype> same(const_cast<Datatype*>(type.get()));
  return datatypes().made.insert(std::move(same), creation_site());
}

void check_room(Arguments& check, std::size_t needed, MPI_Count room, std::string_view name) {
  check.require(room >= static_cast<MPI_Count>(needed), MPI_ERR_ARG,
                [&] { return fmt::format("{} is {}, but there are {}", name, room, needed); });
}

// The recipe of a type that is not predefined; null if the check failed.
const Recipe* checked_recipe(Arguments& check, MPI_Datatype datatype, bool large) {
  const Datatype* type = any_type(check, datatype);
  if (check.failed()) return nullptr;
  check.require(type->recipe().combiner != MPI_COMBINER_NAMED, MPI_ERR_TYPE,
                describe(*type) + " is predefined and has no contents");
  check.require(large || !type->recipe().large, MPI_ERR_TYPE,
                "the datatype was made with large counts: use the function that ends in _c");
  return check.failed() ? nullptr : &type->recipe();
}

void copy_types(const Recipe& recipe, MPI_Datatype* types) {
  for (std::size_t i = 0; i < recipe.datatypes.size(); ++i) types[i] = handle_of_part(recipe.datatypes[i]);
}

TypeClass class_of(int typeclass) {
  switch (typeclass) {
    case MPI_TYPECLASS_REAL: return TypeClass::floating;
    case MPI_TYPECLASS_INTEGER: return TypeClass::fortran_integer;
    default: return TypeClass::complex;
  }
}

// Fortran types whose names contain their sizes: MPI_REAL4, MPI_INTEGER8...
bool has_size_in_name(const BasicType& type) {
  const std::string name = type.name;
  const auto digits = name.find_last_not_of("0123456789") + 1;
  return digits != name.size() && name.find("_T") == std::string::npos;
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Type_get_envelope(MPI_Datatype datatype, int* num_integers, int* num_addresses, int* num_datatypes, int* combiner) {
  Arguments check;
  check.pointer(num_integers, "num_integers").pointer(num_addresses, "num_addresses");
  check.pointer(num_datatypes, "num_datatypes").pointer(combiner, "combiner");
  const Datatype* type = any_type(check, datatype);
  if (check.failed()) return check.error();
  const Recipe& recipe = type->recipe();
  check.require(!recipe.large, MPI_ERR_TYPE, "the datatype was made with large counts: use MPI_Type_get_envelope_c");
  if (check.failed()) return check.error();
  *num_integers = static_cast<int>(recipe.integers.size());
  *num_addresses = static_cast<int>(recipe.addresses.size());
  *num_datatypes = static_cast<int>(recipe.datatypes.size());
  *combiner = recipe.combiner;
  return MPI_SUCCESS;
}

int Type_get_envelope_c(MPI_Datatype datatype, MPI_Count* num_integers, MPI_Count* num_addresses,
                        MPI_Count* num_large_counts, MPI_Count* num_datatypes, int* combiner) {
  Arguments check;
  check.pointer(num_integers, "num_integers").pointer(num_addresses, "num_addresses");
  check.pointer(num_large_counts, "num_large_counts").pointer(num_datatypes, "num_datatypes");
  check.pointer(combiner, "combiner");
  const Datatype* type = any_type(check, datatype);
  if (check.failed()) return check.error();
  const Recipe& recipe = type->recipe();
  *num_integers = static_cast<MPI_Count>(recipe.integers.size());
  *num_addresses = static_cast<MPI_Count>(recipe.addresses.size());
  *num_large_counts = static_cast<MPI_Count>(recipe.large_counts.size());
  *num_datatypes = static_cast<MPI_Count>(recipe.datatypes.size());
  *combiner = recipe.combiner;
  return MPI_SUCCESS;
}

int Type_get_contents(MPI_Datatype datatype, int max_integers, int max_addresses, int max_datatypes,
                      int array_of_integers[], MPI_Aint array_of_addresses[], MPI_Datatype array_of_datatypes[]) {
  Arguments check;
  const Recipe* recipe = checked_recipe(check, datatype, false);
  if (recipe == nullptr) return check.error();
  check_room(check, recipe->integers.size(), max_integers, "max_integers");
  check_room(check, recipe->addresses.size(), max_addresses, "max_addresses");
  check_room(check, recipe->datatypes.size(), max_datatypes, "max_datatypes");
  if (check.failed()) return check.error();
  std::copy(recipe->integers.begin(), recipe->integers.end(), array_of_integers);
  std::copy(recipe->addresses.begin(), recipe->addresses.end(), array_of_addresses);
  copy_types(*recipe, array_of_datatypes);
  return MPI_SUCCESS;
}

int Type_get_contents_c(MPI_Datatype datatype, MPI_Count max_integers, MPI_Count max_addresses,
                        MPI_Count max_large_counts, MPI_Count max_datatypes, int array_of_integers[],
                        MPI_Aint array_of_addresses[], MPI_Count array_of_large_counts[],
                        MPI_Datatype array_of_datatypes[]) {
  Arguments check;
  const Recipe* recipe = checked_recipe(check, datatype, true);
  if (recipe == nullptr) return check.error();
  check_room(check, recipe->integers.size(), max_integers, "max_integers");
  check_room(check, recipe->addresses.size(), max_addresses, "max_addresses");
  check_room(check, recipe->large_counts.size(), max_large_counts, "max_large_counts");
  check_room(check, recipe->datatypes.size(), max_datatypes, "max_datatypes");
  if (check.failed()) return check.error();
  std::copy(recipe->integers.begin(), recipe->integers.end(), array_of_integers);
  std::copy(recipe->addresses.begin(), recipe->addresses.end(), array_of_addresses);
  std::copy(recipe->large_counts.begin(), recipe->large_counts.end(), array_of_large_counts);
  copy_types(*recipe, array_of_datatypes);
  return MPI_SUCCESS;
}

int Type_match_size(int typeclass, int size, MPI_Datatype* datatype) {
  Arguments check;
  check.pointer(datatype, "datatype");
  check.require(typeclass == MPI_TYPECLASS_REAL || typeclass == MPI_TYPECLASS_INTEGER ||
                    typeclass == MPI_TYPECLASS_COMPLEX,
                MPI_ERR_ARG, "typeclass is none of MPI_TYPECLASS_*");
  if (check.failed()) return check.error();
  for (const BasicType& type : basic_types()) {
    if (type.type_class != class_of(typeclass) || type.size != size) continue;
    if (!has_size_in_name(type)) continue;
    *datatype = type.handle;
    return MPI_SUCCESS;
  }
  check.require(false, MPI_ERR_ARG, fmt::format("no Fortran type of this class has {} bytes", size));
  return check.error();
}

int Type_get_value_index(MPI_Datatype value_type, MPI_Datatype index_type, MPI_Datatype* pair_type) {
  Arguments check;
  check.pointer(pair_type, "pair_type");
  any_type(check, value_type);
  any_type(check, index_type);
  if (check.failed()) return check.error();
  *pair_type = MPI_DATATYPE_NULL;  // the result if there is no such pair
  for (const BasicType& type : basic_types())
    if (type.type_class == TypeClass::pair && type.first == value_type && type.second == index_type)
      *pair_type = type.handle;
  return MPI_SUCCESS;
}

}  // namespace rehearse::smpi::calls
