// SPDX-License-Identifier: MIT
//
// See attributes.hpp; also the calls that create keys and set, read and delete attributes, under their current and
// their deprecated names.
#include "smpi/communicator/attributes.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string_view>

#include "smpi/abi/calls.hpp"
#include "smpi/arguments.hpp"
#include "smpi/attribute_table.hpp"
#include "smpi/environment/error_codes.hpp"
#include "smpi/environment/leaks.hpp"
#include "smpi/error.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/process.hpp"
#include "smpi/process/births.hpp"

namespace rehearse::smpi {
namespace {

constexpr std::string_view unknown_key = "the key was freed, is predefined or never existed";

struct CommunicatorAttributes {
  AttributeTable<MPI_Comm, MPI_Comm_copy_attr_function, MPI_Comm_delete_attr_function> table;
};

auto& attributes() { return per_rank<CommunicatorAttributes>().table; }

int failed_callback(MPI_Comm comm, int code) { return error_on(comm, code, "the attribute's delete function failed"); }

// The values of the predefined attributes, which the program reads through pointers.
struct PredefinedAttributes {
  int tag_ub = std::numeric_limits<int>::max();
  int host = MPI_PROC_NULL;
  int io = MPI_ANY_SOURCE;
  int wtime_is_global = 1;
  int universe_size = 0;
  int last_used_code = 0;
  int appnum = 0;
};

int* find_predefined(int keyval) {
  auto& values = per_rank<PredefinedAttributes>();
  switch (keyval) {
    case MPI_TAG_UB: return &values.tag_ub;
    case MPI_HOST: return &values.host;
    case MPI_IO: return &values.io;
    case MPI_WTIME_IS_GLOBAL: return &values.wtime_is_global;
    case MPI_APPNUM: values.appnum = program_number(); return &values.appnum;
    case MPI_UNIVERSE_SIZE:
      values.universe_size = std::max(static_cast<int>(universe_size()), communicators().world()->size());
      return &values.universe_size;
    case MPI_LASTUSEDCODE: values.last_used_code = last_used_code(); return &values.last_used_code;
    default: return nullptr;
  }
}

int create_keyval(MPI_Comm_copy_attr_function* copy, MPI_Comm_delete_attr_function* remove, int* keyval,
                  void* extra_state) {
  Arguments check;
  check.pointer(keyval, "comm_keyval");
  if (!check.failed()) *keyval = attributes().make_key(copy, remove, extra_state);
  return check.error();
}

int free_keyval(int* keyval) {
  Arguments check;
  check.pointer(keyval, "comm_keyval");
  if (check.failed()) return check.error();
  check.require(attributes().is_known(*keyval), MPI_ERR_KEYVAL, unknown_key);
  if (check.failed()) return check.error();
  attributes().free_key(*keyval);
  *keyval = MPI_KEYVAL_INVALID;
  return MPI_SUCCESS;
}

int set_attribute(MPI_Comm comm, int keyval, void* value) {
  Arguments check(comm);
  check.require(attributes().is_live(keyval), MPI_ERR_KEYVAL, unknown_key);
  if (check.failed()) return check.error();
  const int code = attributes().set(comm, keyval, value);
  return code == MPI_SUCCESS ? MPI_SUCCESS : failed_callback(comm, code);
}

int get_attribute(MPI_Comm comm, int keyval, void* value, int* flag) {
  Arguments check(comm);
  check.pointer(value, "attribute_val").pointer(flag, "flag");
  if (check.failed()) return check.error();
  void* const predefined = find_predefined(keyval);
  check.require(predefined != nullptr || attributes().is_known(keyval), MPI_ERR_KEYVAL, unknown_key);
  if (check.failed()) return check.error();
  if (keyval == MPI_UNIVERSE_SIZE && !is_universe_known()) {
    *flag = 0;
    return MPI_SUCCESS;
  }
  void* const* found = predefined != nullptr ? &predefined : attributes().find(comm, keyval);
  *flag = found != nullptr ? 1 : 0;
  if (found != nullptr) std::memcpy(value, found, sizeof *found);
  return MPI_SUCCESS;
}

int remove_attribute(MPI_Comm comm, int keyval) {
  Arguments check(comm);
  check.require(attributes().is_known(keyval), MPI_ERR_KEYVAL, unknown_key);
  if (check.failed()) return check.error();
  const int code = attributes().remove(comm, keyval);
  return code == MPI_SUCCESS ? MPI_SUCCESS : failed_callback(comm, code);
}

}  // namespace

int copy_attributes(const Communicator& from, const Communicator& to) {
  return attributes().copy_all(from.handle, to.handle);
}

std::vector<CreationSite> live_communicator_keys() {
  std::vector<CreationSite> sites;
  if (const auto* known = find_per_rank<CommunicatorAttributes>())
    known->table.for_each_live_key([&](const CreationSite& site) { sites.push_back(site); });
  return sites;
}

int delete_attributes(const Communicator& communicator) {
  auto* known = find_per_rank<CommunicatorAttributes>();
  return known == nullptr ? MPI_SUCCESS : known->table.remove_all(communicator.handle);
}

}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Comm_create_keyval(MPI_Comm_copy_attr_function* comm_copy_attr_fn,
                       MPI_Comm_delete_attr_function* comm_delete_attr_fn, int* comm_keyval, void* extra_state) {
  return create_keyval(comm_copy_attr_fn, comm_delete_attr_fn, comm_keyval, extra_state);
}

int Keyval_create(MPI_Copy_function* copy_fn, MPI_Delete_function* delete_fn, int* keyval, void* extra_state) {
  return create_keyval(copy_fn, delete_fn, keyval, extra_state);
}

int Comm_free_keyval(int* comm_keyval) { return free_keyval(comm_keyval); }

int Keyval_free(int* keyval) { return free_keyval(keyval); }

int Comm_set_attr(MPI_Comm comm, int comm_keyval, void* attribute_val) {
  return set_attribute(comm, comm_keyval, attribute_val);
}

int Attr_put(MPI_Comm comm, int keyval, void* attribute_val) { return set_attribute(comm, keyval, attribute_val); }

int Comm_get_attr(MPI_Comm comm, int comm_keyval, void* attribute_val, int* flag) {
  return get_attribute(comm, comm_keyval, attribute_val, flag);
}

int Attr_get(MPI_Comm comm, int keyval, void* attribute_val, int* flag) {
  return get_attribute(comm, keyval, attribute_val, flag);
}

int Comm_delete_attr(MPI_Comm comm, int comm_keyval) { return remove_attribute(comm, comm_keyval); }

int Attr_delete(MPI_Comm comm, int keyval) { return remove_attribute(comm, keyval); }

}  // namespace rehearse::smpi::calls
