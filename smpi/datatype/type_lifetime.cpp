// SPDX-License-Identifier: MIT
//
// Committing, freeing and naming datatypes.
#include <algorithm>
#include <cstring>
#include <string>

#include "smpi/abi/calls.hpp"
#include "smpi/datatype/table.hpp"
#include "smpi/datatype/type_calls.hpp"

namespace rehearse::smpi {
namespace {

// The type for a change, if the program made it; null for predefined types or if the check failed.
Datatype* made_type(Arguments& check, MPI_Datatype handle) {
  if (any_type(check, handle) == nullptr || is_predefined_handle(handle)) return nullptr;
  return datatypes().made.find(handle)->get();
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Type_commit(MPI_Datatype* datatype) {
  Arguments check;
  check.pointer(datatype, "datatype");
  if (check.failed()) return check.error();
  Datatype* type = made_type(check, *datatype);
  if (type != nullptr) type->commit();
  return check.error();
}

int Type_free(MPI_Datatype* datatype) {
  Arguments check;
  check.pointer(datatype, "datatype");
  if (check.failed()) return check.error();
  const Datatype* type = any_type(check, *datatype);
  if (check.failed()) return check.error();
  check.require(type->basic() == nullptr, MPI_ERR_TYPE, describe(*type) + " is predefined and cannot be freed");
  if (check.failed()) return check.error();
  const int code = datatypes().attributes.remove_all(*datatype);
  check.require(code == MPI_SUCCESS, code, "an attribute's delete function failed");
  if (check.failed()) return check.error();
  datatypes().made.erase(*datatype);
  *datatype = MPI_DATATYPE_NULL;
  return MPI_SUCCESS;
}

int Type_set_name(MPI_Datatype datatype, const char* type_name) {
  Arguments check;
  check.pointer(type_name, "type_name");
  if (check.failed()) return check.error();
  Datatype* type = made_type(check, datatype);
  if (check.failed()) return check.error();
  const std::string name(type_name, strnlen(type_name, MPI_MAX_OBJECT_NAME - 1));
  if (type != nullptr) {
    type->set_name(name);
  } else {
    datatypes().new_names[datatype] = name;
  }
  return MPI_SUCCESS;
}

int Type_get_name(MPI_Datatype datatype, char* type_name, int* resultlen) {
  Arguments check;
  check.pointer(type_name, "type_name").pointer(resultlen, "resultlen");
  if (check.failed()) return check.error();
  std::string name;
  if (datatype == MPI_DATATYPE_NULL) {
    name = "MPI_DATATYPE_NULL";  // allowed here, and only here
  } else {
    const Datatype* type = any_type(check, datatype);
    if (check.failed()) return check.error();
    const auto renamed = datatypes().new_names.find(datatype);
    name = renamed != datatypes().new_names.end() ? renamed->second : type->name();
  }
  std::memcpy(type_name, name.c_str(), name.size() + 1);
  *resultlen = static_cast<int>(name.size());
  return MPI_SUCCESS;
}

}  // namespace rehearse::smpi::calls
