// SPDX-License-Identifier: MIT
//
// The datatypes of the calling rank by handle: the predefined constants, and the live types that the rank made.
//
// Use:     `const Datatype* type = find_datatype(handle)`; null means MPI_ERR_TYPE. Keep a
//          DatatypeRef as long as an operation that uses the type is pending: the program may free
//          the handle meanwhile.
// Threads: only from the rank's own fiber.
#pragma once

#include <array>
#include <map>
#include <string>

#include "mpi.h"
#include "smpi/attribute_table.hpp"
#include "smpi/datatype/datatype.hpp"
#include "smpi/error.hpp"
#include "smpi/handle_registry.hpp"
#include "smpi/wrong_handle.hpp"

namespace rehearse::smpi {

// The predefined type of this handle, or null. Needs no rank.
const Datatype* predefined_datatype(MPI_Datatype handle);

struct DatatypeTable {
  HandleRegistry<MPI_Datatype, Ref<Datatype>, HandleKind::datatype> made;
  AttributeTable<MPI_Datatype, MPI_Type_copy_attr_function, MPI_Type_delete_attr_function> attributes;
  std::map<MPI_Datatype, std::string> new_names;  // names that the program gave to predefined types
  // Predefined types by combiner, precision and range (MPI_Type_create_f90_real).
  std::map<std::array<int, 3>, MPI_Datatype> fortran;

  // The type of the handle, or null: MPI_DATATYPE_NULL, freed, or no datatype.
  const Datatype* find(MPI_Datatype handle) const {
    if (is_predefined_handle(handle)) return predefined_datatype(handle);
    const Ref<Datatype>* type = made.find(handle);
    return type == nullptr ? nullptr : type->get();
  }
};

// Of the calling rank.
DatatypeTable& datatypes();

inline const Datatype* find_datatype(MPI_Datatype handle) {
  return is_predefined_handle(handle) ? predefined_datatype(handle) : datatypes().find(handle);
}

// If commits are not checked: commits this existing type, and returns true.
bool committed_on_use(MPI_Datatype handle);

// Checks the datatype of a communication call. If the handle is no datatype or an uncommitted one, raises MPI_ERR_TYPE
// on `comm`, sets `failure` to the value that the call must return, and returns null.
inline const Datatype* checked_datatype(MPI_Comm comm, MPI_Datatype handle, int& failure) {
  const Datatype* type = find_datatype(handle);
  if (type != nullptr && (type->committed() || committed_on_use(handle))) return type;
  failure = error_on(comm, MPI_ERR_TYPE,
                     type == nullptr ? wrong_handle(Kind::datatype, handle) : "the datatype was not committed");
  return nullptr;
}

}  // namespace rehearse::smpi
