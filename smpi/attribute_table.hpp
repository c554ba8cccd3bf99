// SPDX-License-Identifier: MIT
//
// The attributes of one kind of MPI object in one rank: values that the program attaches to handles under its own keys,
// with callbacks that copy and delete them.
//
// Callbacks: MPI's null functions are the addresses 0 and 1 in the ABI: 0 copies and deletes nothing, 1 copies the
//            value. A callback may call MPI and change the table, so no pointer into the table is kept across one.
// Results:   int is MPI_SUCCESS or the return value of the callback that failed.
// Source:    MPI 5.0, 7.7. A freed key lives while an attribute uses it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "mpi.h"
#include "smpi/creation_site.hpp"

namespace rehearse::smpi {

// Copy and Remove: the callback types, MPI_Type_copy_attr_function...
template <class Handle, class Copy, class Remove>
class AttributeTable {
 public:
  int make_key(Copy* copy, Remove* remove, void* extra_state) {
    keys_.push_back({copy, remove, extra_state, false, creation_site()});
    return first_key + static_cast<int>(keys_.size()) - 1;
  }

  // Whether the program may set attributes with the key.
  bool is_live(int key) const { return find_key(key) != nullptr && !find_key(key)->freed; }

  // Whether the program may read and delete attributes with the key. This includes a freed key that is still in use,
  // because the program must be able to delete its attributes.
  bool is_known(int key) const { return is_live(key) || is_used(key); }
  void free_key(int key) { keys_[static_cast<std::size_t>(key - first_key)].freed = true; }

  // f(site) for every key that the program has not freed.
  template <class F>
  void for_each_live_key(F&& f) const {
    for (const Key& key : keys_)
      if (!key.freed) f(key.site);
  }

  // Null: the attribute is not set.
  void* const* find(Handle handle, int key) const {
    const auto object = attributes_.find(handle);
    if (object == attributes_.end()) return nullptr;
    for (const Attribute& attribute : object->second)
      if (attribute.key == key) return &attribute.value;
    return nullptr;
  }

  // Deletes the old value, if any, and sets the new one.
  int set(Handle handle, int key, void* value) {
    const int code = remove(handle, key);
    if (code == MPI_SUCCESS) attributes_[handle].push_back({key, value});
    return code;
  }

  // Does nothing if the attribute is not set.
  int remove(Handle handle, int key) {
    void* const* value = find(handle, key);
    if (value == nullptr) return MPI_SUCCESS;
    const Key callbacks = *find_key(key);
    if (callbacks.remove != nullptr) {
      const int code = callbacks.remove(handle, key, *value, callbacks.extra_state);
      if (code != MPI_SUCCESS) return code;
    }
    auto& list = attributes_[handle];
    std::erase_if(list, [&](const Attribute& attribute) { return attribute.key == key; });
    if (list.empty()) attributes_.erase(handle);
    return MPI_SUCCESS;
  }

  // Removes the last attribute first; stops at a callback that fails.
  int remove_all(Handle handle) {
    for (auto object = attributes_.find(handle); object != attributes_.end(); object = attributes_.find(handle)) {
      const int code = remove(handle, object->second.back().key);
      if (code != MPI_SUCCESS) return code;
    }
    return MPI_SUCCESS;
  }

  // Copies the attributes whose copy callbacks ask for it; stops at a callback that fails.
  int copy_all(Handle from, Handle to) {
    const auto object = attributes_.find(from);
    if (object == attributes_.end()) return MPI_SUCCESS;
    for (const Attribute& attribute : std::vector<Attribute>(object->second)) {
      const Key callbacks = *find_key(attribute.key);
      void* value = attribute.value;
      int flag = 0;
      if (reinterpret_cast<std::uintptr_t>(callbacks.copy) == 1) {
        flag = 1;
      } else if (callbacks.copy != nullptr) {
        const int code = callbacks.copy(from, attribute.key, callbacks.extra_state, attribute.value, &value, &flag);
        if (code != MPI_SUCCESS) return code;
      }
      if (flag != 0) attributes_[to].push_back({attribute.key, value});
    }
    return MPI_SUCCESS;
  }

 private:
  static constexpr int first_key = 0x1000;  // above every predefined key of the ABI

  struct Key {
    Copy* copy;
    Remove* remove;
    void* extra_state;
    bool freed;
    CreationSite site;
  };
  struct Attribute {
    int key;
    void* value;
  };

  bool is_used(int key) const {
    return std::ranges::any_of(attributes_, [&](const auto& object) {
      return std::ranges::any_of(object.second, [&](const Attribute& attribute) { return attribute.key == key; });
    });
  }

  const Key* find_key(int key) const {
    const std::int64_t index = std::int64_t{key} - first_key;
    const bool exists = index >= 0 && index < static_cast<std::int64_t>(keys_.size());
    return exists ? &keys_[static_cast<std::size_t>(index)] : nullptr;
  }

  std::vector<Key> keys_;
  std::map<Handle, std::vector<Attribute>> attributes_;
};

}  // namespace rehearse::smpi
