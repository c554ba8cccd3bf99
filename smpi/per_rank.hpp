// SPDX-License-Identifier: MIT
//
// The state that a part of the MPI library keeps for each rank: one object per type and rank, made
// at first use.
//
// Ownership: the objects live in the rank's memory, hang off its actor_slot(), are rolled back with
//            it and are never destroyed one by one. Nothing in smpi/ is shared between ranks.
// Threads:   only from the rank's own fiber.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "simcore/actor.hpp"

namespace rehearse::smpi {
namespace detail {

struct Part {
  const void* name = nullptr;
  void* object = nullptr;
};

// The parts of a rank by their names: a table with more places than there are types of parts.
using Parts = std::array<Part, 64>;

inline std::size_t home_of(const void* name) {
  return static_cast<std::size_t>((reinterpret_cast<std::uintptr_t>(name) * 0x9e3779b97f4a7c15) >> 58);
}

// Its address names the type; the value means nothing.
template <class T>
inline const char part_name = 0;

// Where the part of this name is kept; null until it is made.
void*& make_part_slot(const void* name);

// The part of this name of the rank with this slot, or null. Changes nothing.
inline void* find_part(const void* name, const void* slot) {
  const auto* parts = static_cast<const Parts*>(slot);
  if (parts == nullptr) return nullptr;
  for (std::size_t at = home_of(name);; at = (at + 1) % parts->size()) {
    const Part& part = (*parts)[at];
    if (part.name == name || part.name == nullptr) return part.object;
  }
}

inline void* find_part(const void* name) { return find_part(name, actor_slot()); }

}  // namespace detail

// The calling rank's T, default-constructed at first use.
template <class T>
T& per_rank() {
  if (void* known = detail::find_part(&detail::part_name<T>); known != nullptr)
    return *static_cast<T*>(known);
  T* part = new T();
  detail::make_part_slot(&detail::part_name<T>) = part;
  return *part;
}

// The calling rank's T if there is one, else null; for code that must not leave anything behind.
template <class T>
T* find_per_rank() {
  return static_cast<T*>(detail::find_part(&detail::part_name<T>));
}

// The T of the rank with this actor_slot(), or null; also outside of ranks.
template <class T>
const T* find_per_rank(const void* slot) {
  return static_cast<const T*>(detail::find_part(&detail::part_name<T>, slot));
}

}  // namespace rehearse::smpi
