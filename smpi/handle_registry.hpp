// SPDX-License-Identifier: MIT
//
// The handles of one kind of MPI object in one rank: the object of each handle, and the place where it was created.
//
// Handles: handles below 0x1000 are the predefined constants of the ABI, which are not stored here. A dynamic handle is
//          not an address but a number: kind, slot and generation of the slot. So a freed handle, a handle of another
//          kind, and any other value are recognised in O(1) without access to the memory at that address, and a handle
//          has the same text in every run.
//            bits 0-3 kind | 4-23 slot + 0x100 | 24-55 generation of the slot
// Ownership: the registry holds one reference to each object, or the plain pointer if Holder is
//            one.
// Order:   for_each_live() visits in the order of slots, which depends on the calls of the rank, never on addresses.
// Threads: none: one registry per rank.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "simcore/support/assert.hpp"

namespace rehearse::smpi {

enum class HandleKind : std::uint8_t {
  datatype = 1,
  op,
  group,
  communicator,
  request,
  error_handler,
  info,
  message,
  window,
  file,
  session,
  tool_session,
  tool_variable
};

// Whether the handle is one of the ABI's constants (MPI_COMM_WORLD, MPI_INT, MPI_OP_NULL...).
inline bool is_predefined_handle(const void* handle) { return reinterpret_cast<std::uintptr_t>(handle) < 0x1000; }

// Where an object was created, for reports of leaks.
struct CreationSite {
  const char* function = "";             // "MPI_Type_vector"
  const void* return_address = nullptr;  // in the program, behind the call
};

// Handle: MPI_Comm, MPI_Datatype...; Holder: Ref<T>, or T* for objects with another owner.
template <class Handle, class Holder, HandleKind kind>
class HandleRegistry {
 public:
  // A new handle for the object.
  Handle insert(Holder object, CreationSite site) {
    if (free_ == no_slot) {
      REHEARSE_ASSERT(slots_.size() < max_slots, "more than a million live handles of one kind");
      slots_.emplace_back();
      free_ = static_cast<std::uint32_t>(slots_.size() - 1);
    }
    const std::uint32_t index = free_;
    Slot& slot = slots_[index];
    free_ = slot.next_free;
    slot.next_free = in_use;
    slot.object = std::move(object);
    slot.site = site;
    ++live_;
    return make_handle(index, slot.generation);
  }

  // The object, or null if the handle has none: it was freed, is of another kind or predefined, or was never a handle.
  const Holder* find(Handle handle) const {
    const Slot* slot = find_slot(handle);
    return slot == nullptr ? nullptr : &slot->object;
  }
  Holder* find(Handle handle) { return const_cast<Holder*>(std::as_const(*this).find(handle)); }

  // Ends the handle, which must be live; returns its object.
  Holder erase(Handle handle) {
    Slot* slot = const_cast<Slot*>(find_slot(handle));
    REHEARSE_ASSERT(slot != nullptr, "erase of a handle that is not live");
    Holder object = std::exchange(slot->object, Holder());
    if (!repeats_handles_) ++slot->generation;
    list_free(static_cast<std::uint32_t>(slot - slots_.data()));
    --live_;
    return object;
  }

  const CreationSite& site(Handle handle) const {
    const Slot* slot = find_slot(handle);
    REHEARSE_ASSERT(slot != nullptr, "site of a handle that is not live");
    return slot->site;
  }

  // From now on a freed handle may come again as the handle of another object.
  void repeat_handles() { repeats_handles_ = true; }

  std::size_t live() const { return live_; }

  // f(handle, const Holder&, const CreationSite&) for every live handle. f must not insert or
  // erase.
  template <class F>
  void for_each_live(F&& f) const {
    for (std::uint32_t i = 0; i < slots_.size(); ++i) {
      const Slot& slot = slots_[i];
      if (slot.next_free == in_use) f(make_handle(i, slot.generation), slot.object, slot.site);
    }
  }

 private:
  static constexpr std::uint32_t no_slot = 0xffffffff;
  static constexpr std::uint32_t in_use = 0xfffffffe;
  static constexpr std::uint32_t slot_bias = 0x100;
  static constexpr std::size_t max_slots = 0x100000 - slot_bias;

  struct Slot {
    Holder object{};
    std::uint32_t generation = 0;
    std::uint32_t next_free = no_slot;
    CreationSite site;
  };

  // By index, if there are few free slots: then the registry does not depend on the order in which handles ended, and
  // states that a rank reaches in several orders are equal (simcore/state_image.hpp).
  void list_free(std::uint32_t index) {
    constexpr int most_steps = 64;
    std::uint32_t* place = &free_;
    for (int step = 0; step < most_steps && *place < index; ++step) place = &slots_[*place].next_free;
    slots_[index].next_free = *place;
    *place = index;
  }

  static Handle make_handle(std::uint32_t index, std::uint32_t generation) {
    return reinterpret_cast<Handle>(static_cast<std::uintptr_t>(kind) | (std::uintptr_t{index} + slot_bias) << 4 |
                                    std::uintptr_t{generation} << 24);
  }

  const Slot* find_slot(Handle handle) const {
    const auto bits = reinterpret_cast<std::uintptr_t>(handle);
    const std::uint32_t index = static_cast<std::uint32_t>((bits >> 4) & 0xfffff) - slot_bias;
    if (index >= slots_.size()) return nullptr;
    const Slot& slot = slots_[index];
    if (slot.next_free != in_use || make_handle(index, slot.generation) != handle) return nullptr;
    return &slot;
  }

  std::vector<Slot> slots_;
  std::uint32_t free_ = no_slot;
  std::size_t live_ = 0;
  bool repeats_handles_ = false;
};

}  // namespace rehearse::smpi
