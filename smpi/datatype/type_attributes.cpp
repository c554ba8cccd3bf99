// SPDX-License-Identifier: MIT
//
// Attributes of datatypes.
#include <cstring>

#include "smpi/abi/calls.hpp"
#include "smpi/datatype/table.hpp"
#include "smpi/datatype/type_calls.hpp"

namespace rehearse::smpi {
namespace {

constexpr std::string_view unknown_key = "the key was freed or never existed";

void check_known(Arguments& check, int key) {
  check.require(datatypes().attributes.is_known(key), MPI_ERR_KEYVAL, unknown_key);
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Type_create_keyval(MPI_Type_copy_attr_function* type_copy_attr_fn,
                       MPI_Type_delete_attr_function* type_delete_attr_fn, int* type_keyval, void* extra_state) {
  Arguments check;
  check.pointer(type_keyval, "type_keyval");
  if (check.failed()) return check.error();
  *type_keyval = datatypes().attributes.make_key(type_copy_attr_fn, type_delete_attr_fn, extra_state);
  return MPI_SUCCESS;
}

int Type_free_keyval(int* type_keyval) {
  Arguments check;
  check.pointer(type_keyval, "type_keyval");
  if (!check.failed()) check_known(check, *type_keyval);
  if (check.failed()) return check.error();
  datatypes().attributes.free_key(*type_keyval);
  *type_keyval = MPI_KEYVAL_INVALID;
  return MPI_SUCCESS;
}

int Type_set_attr(MPI_Datatype datatype, int type_keyval, void* attribute_val) {
  Arguments check;
  any_type(check, datatype);
  check.require(datatypes().attributes.is_live(type_keyval), MPI_ERR_KEYVAL, unknown_key);
  if (check.failed()) return check.error();
  const int code = datatypes().attributes.set(datatype, type_keyval, attribute_val);
  check.require(code == MPI_SUCCESS, code, "the attribute's delete function failed");
  return check.error();
}

int Type_get_attr(MPI_Datatype datatype, int type_keyval, void* attribute_val, int* flag) {
  Arguments check;
  check.pointer(attribute_val, "attribute_val").pointer(flag, "flag");
  any_type(check, datatype);
  check_known(check, type_keyval);
  if (check.failed()) return check.error();
  void* const* value = datatypes().attributes.find(datatype, type_keyval);
  *flag = value != nullptr ? 1 : 0;
  if (value != nullptr) std::memcpy(attribute_val, value, sizeof *value);
  return MPI_SUCCESS;
}

int Type_delete_attr(MPI_Datatype datatype, int type_keyval) {
  Arguments check;
  any_type(check, datatype);
  check_known(check, type_keyval);
  if (check.failed()) return check.error();
  const int code = datatypes().attributes.remove(datatype, type_keyval);
  check.require(code == MPI_SUCCESS, code, "the attribute's delete function failed");
  return check.error();
}

}  // namespace rehearse::smpi::calls
