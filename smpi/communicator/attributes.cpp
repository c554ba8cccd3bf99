// SPDX-License-Identifier: MIT
//
// See attributes.hpp; also the calls that make keys and set, read and delete attributes, under both
// of their names.
#include "smpi/communicator/attributes.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>

#include "smpi/abi/calls.hpp"
#include "smpi/arguments.hpp"
#include "smpi/environment/error_codes.hpp"
#include "smpi/error.hpp"
#include "smpi/per_rank.hpp"

namespace rehearse::smpi {
namespace {

// Above every predefined key of the ABI.
constexpr int first_keyval = 0x1000;

struct Keyval {
  MPI_Comm_copy_attr_function* copy = nullptr;
  MPI_Comm_delete_attr_function* remove = nullptr;
  void* extra_state = nullptr;
  int attributes = 0;  // that use it
  bool freed = false;
};

struct Keyvals {
  std::vector<Keyval> made;  // keyval first_keyval + index
};

// The key, or null if the program may not use it.
Keyval* find_keyval(int keyval) {
  auto& made = per_rank<Keyvals>().made;
  const int index = keyval - first_keyval;
  if (index < 0 || index >= static_cast<int>(made.size())) return nullptr;
  return &made[static_cast<std::size_t>(index)];
}

Keyval* find_live_keyval(int keyval) {
  Keyval* found = find_keyval(keyval);
  return found == nullptr || found->freed ? nullptr : found;
}

Attribute* find_attribute(Communicator& communicator, int keyval) {
  const auto found = std::find_if(communicator.attributes.begin(), communicator.attributes.end(),
                                  [&](const Attribute& a) { return a.keyval == keyval; });
  return found == communicator.attributes.end() ? nullptr : &*found;
}

// Calls the delete callback; MPI_COMM_NULL_DELETE_FN is a null pointer.
int call_remove(Communicator& communicator, const Attribute& attribute) {
  const Keyval keyval = *find_keyval(attribute.keyval);
  if (keyval.remove == MPI_COMM_NULL_DELETE_FN) return MPI_SUCCESS;
  return keyval.remove(communicator.handle, attribute.keyval, attribute.value, keyval.extra_state);
}

int delete_attribute(Communicator& communicator, int keyval) {
  const int code = call_remove(communicator, *find_attribute(communicator, keyval));
  if (code != MPI_SUCCESS) return code;
  std::erase_if(communicator.attributes, [&](const Attribute& a) { return a.keyval == keyval; });
  --find_keyval(keyval)->attributes;
  return MPI_SUCCESS;
}

// Whether the attribute is to be copied, and its new value. MPI_COMM_NULL_COPY_FN is 0,
// MPI_COMM_DUP_FN is 1.
int call_copy(const Communicator& from, const Attribute& attribute, void** value, int* flag) {
  const Keyval keyval = *find_keyval(attribute.keyval);
  *flag = 0;
  if (keyval.copy == MPI_COMM_NULL_COPY_FN) return MPI_SUCCESS;
  if (keyval.copy == MPI_COMM_DUP_FN) {
    *value = attribute.value;
    *flag = 1;
    return MPI_SUCCESS;
  }
  return keyval.copy(from.handle, attribute.keyval, keyval.extra_state, attribute.value, value,
                     flag);
}

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
    case MPI_TAG_UB:
      return &values.tag_ub;
    case MPI_HOST:
      return &values.host;
    case MPI_IO:
      return &values.io;
    case MPI_WTIME_IS_GLOBAL:
      return &values.wtime_is_global;
    case MPI_APPNUM:
      return &values.appnum;
    case MPI_UNIVERSE_SIZE:
      values.universe_size = communicators().world()->size();
      return &values.universe_size;
    case MPI_LASTUSEDCODE:
      values.last_used_code = last_used_code();
      return &values.last_used_code;
    default:
      return nullptr;
  }
}

int create_keyval(MPI_Comm_copy_attr_function* copy, MPI_Comm_delete_attr_function* remove,
                  int* keyval, void* extra_state) {
  Arguments check;
  check.pointer(keyval, "comm_keyval");
  if (check.failed()) return check.error();
  auto& made = per_rank<Keyvals>().made;
  made.push_back({copy, remove, extra_state, 0, false});
  *keyval = first_keyval + static_cast<int>(made.size()) - 1;
  return MPI_SUCCESS;
}

int free_keyval(int* keyval) {
  Arguments check;
  check.pointer(keyval, "comm_keyval");
  if (check.failed()) return check.error();
  Keyval* found = find_live_keyval(*keyval);
  check.require(found != nullptr, MPI_ERR_KEYVAL,
                "the key was freed, is predefined or never existed");
  if (check.failed()) return check.error();
  found->freed = true;
  *keyval = MPI_KEYVAL_INVALID;
  return MPI_SUCCESS;
}

int set_attribute(MPI_Comm comm, int keyval, void* value) {
  Arguments check(comm);
  check.require(find_live_keyval(keyval) != nullptr, MPI_ERR_KEYVAL,
                "the key was freed, is predefined or never existed");
  if (check.failed()) return check.error();
  const CommunicatorRef communicator = check.communicator();
  if (const Attribute* old = find_attribute(*communicator, keyval)) {
    const int code = call_remove(*communicator, *old);
    if (code != MPI_SUCCESS) return error_on(comm, code, "the attribute's delete function failed");
    find_attribute(*communicator, keyval)->value = value;
    return MPI_SUCCESS;
  }
  communicator->attributes.push_back({keyval, value});
  ++find_keyval(keyval)->attributes;
  return MPI_SUCCESS;
}

int get_attribute(MPI_Comm comm, int keyval, void* value, int* flag) {
  Arguments check(comm);
  check.pointer(value, "attribute_val").pointer(flag, "flag");
  if (check.failed()) return check.error();
  void* found = find_predefined(keyval);
  *flag = found != nullptr ? 1 : 0;
  if (found == nullptr) {
    check.require(find_live_keyval(keyval) != nullptr, MPI_ERR_KEYVAL,
                  "the key was freed or never existed");
    if (check.failed()) return check.error();
    const Attribute* attribute = find_attribute(*check.communicator(), keyval);
    *flag = attribute != nullptr ? 1 : 0;
    if (attribute != nullptr) found = attribute->value;
  }
  if (*flag != 0) std::memcpy(value, &found, sizeof found);
  return MPI_SUCCESS;
}

int remove_attribute(MPI_Comm comm, int keyval) {
  Arguments check(comm);
  check.require(find_live_keyval(keyval) != nullptr, MPI_ERR_KEYVAL,
                "the key was freed, is predefined or never existed");
  if (check.failed()) return check.error();
  const CommunicatorRef communicator = check.communicator();
  if (find_attribute(*communicator, keyval) == nullptr) return MPI_SUCCESS;
  const int code = delete_attribute(*communicator, keyval);
  if (code == MPI_SUCCESS) return MPI_SUCCESS;
  return error_on(comm, code, "the attribute's delete function failed");
}

}  // namespace

int copy_attributes(const Communicator& from, Communicator& to) {
  const std::vector<Attribute> attributes = from.attributes;
  for (const Attribute& attribute : attributes) {
    void* value = nullptr;
    int flag = 0;
    const int code = call_copy(from, attribute, &value, &flag);
    if (code != MPI_SUCCESS) return code;
    if (flag == 0) continue;
    to.attributes.push_back({attribute.keyval, value});
    ++find_keyval(attribute.keyval)->attributes;
  }
  return MPI_SUCCESS;
}

int delete_attributes(Communicator& communicator) {
  while (!communicator.attributes.empty()) {
    const int code = delete_attribute(communicator, communicator.attributes.back().keyval);
    if (code != MPI_SUCCESS) return code;
  }
  return MPI_SUCCESS;
}

}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Comm_create_keyval(MPI_Comm_copy_attr_function* comm_copy_attr_fn,
                       MPI_Comm_delete_attr_function* comm_delete_attr_fn, int* comm_keyval,
                       void* extra_state) {
  return create_keyval(comm_copy_attr_fn, comm_delete_attr_fn, comm_keyval, extra_state);
}

int Keyval_create(MPI_Copy_function* copy_fn, MPI_Delete_function* delete_fn, int* keyval,
                  void* extra_state) {
  return create_keyval(copy_fn, delete_fn, keyval, extra_state);
}

int Comm_free_keyval(int* comm_keyval) { return free_keyval(comm_keyval); }

int Keyval_free(int* keyval) { return free_keyval(keyval); }

int Comm_set_attr(MPI_Comm comm, int comm_keyval, void* attribute_val) {
  return set_attribute(comm, comm_keyval, attribute_val);
}

int Attr_put(MPI_Comm comm, int keyval, void* attribute_val) {
  return set_attribute(comm, keyval, attribute_val);
}

int Comm_get_attr(MPI_Comm comm, int comm_keyval, void* attribute_val, int* flag) {
  return get_attribute(comm, comm_keyval, attribute_val, flag);
}

int Attr_get(MPI_Comm comm, int keyval, void* attribute_val, int* flag) {
  return get_attribute(comm, keyval, attribute_val, flag);
}

int Comm_delete_attr(MPI_Comm comm, int comm_keyval) { return remove_attribute(comm, comm_keyval); }

int Attr_delete(MPI_Comm comm, int keyval) { return remove_attribute(comm, keyval); }

}  // namespace rehearse::smpi::calls
