// SPDX-License-Identifier: MIT
//
// The state that a part of the MPI library keeps for each rank: one object per type and rank, made
// at first use.
//
// Ownership: the objects live in the rank's memory, hang off its actor_slot(), are rolled back with
//            it and are never destroyed one by one. Nothing in smpi/ is shared between ranks.
// Threads:   only from the rank's own fiber.
#pragma once

namespace rehearse::smpi {
namespace detail {

// Its address names the type; the value means nothing.
template <class T>
inline const char part_name = 0;

// Where the part of this name is kept; null until it is made.
void*& part_slot(const void* name);

// The part of this name, or null. Changes nothing.
void* find_part(const void* name);

}  // namespace detail

// The calling rank's T, default-constructed at first use.
template <class T>
T& per_rank() {
  void*& slot = detail::part_slot(&detail::part_name<T>);
  if (slot == nullptr) {
    T* part = new T();
    detail::part_slot(&detail::part_name<T>) = part;  // T() may have made other parts: look again
    return *part;
  }
  return *static_cast<T*>(slot);
}

// The calling rank's T if there is one, else null; for code that must not leave anything behind.
template <class T>
T* find_per_rank() {
  return static_cast<T*>(detail::find_part(&detail::part_name<T>));
}

}  // namespace rehearse::smpi
