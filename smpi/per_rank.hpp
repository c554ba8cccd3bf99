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

struct CallChain;
struct Library;
class Communicators;
struct AttachedBuffers;
class PendingBuffers;

namespace detail {

// Parts that nearly every call needs have a fixed place. The others are found by name.
inline constexpr std::size_t fixed_places = 5;
template <class T>
inline constexpr std::size_t fixed_place = fixed_places;
template <>
inline constexpr std::size_t fixed_place<CallChain> = 0;
template <>
inline constexpr std::size_t fixed_place<Library> = 1;
template <>
inline constexpr std::size_t fixed_place<Communicators> = 2;
template <>
inline constexpr std::size_t fixed_place<AttachedBuffers> = 3;
template <>
inline constexpr std::size_t fixed_place<PendingBuffers> = 4;

struct Part {
  const void* name = nullptr;
  void* object = nullptr;
};

// The parts of a rank. `named` has more places than there are types of parts.
struct Parts {
  std::array<void*, fixed_places> fixed{};
  std::array<Part, 64> named{};
  std::size_t named_count = 0;
};

inline std::size_t hash_place_of(const void* name) {
  return static_cast<std::size_t>((reinterpret_cast<std::uintptr_t>(name) * 0x9e3779b97f4a7c15) >> 58);
}

// The address of this variable identifies the type; the value has no meaning.
template <class T>
inline const char part_name = 0;

// The slot for the part of this name, or of this fixed place; it holds null until the part is made.
void*& make_part_slot(const void* name, std::size_t place);

// The part of this type of the rank with this slot, or null. Changes nothing.
template <class T>
void* find_part(const void* slot) {
  const auto* parts = static_cast<const Parts*>(slot);
  if (parts == nullptr) return nullptr;
  if constexpr (fixed_place<T> < fixed_places) return parts->fixed[fixed_place<T>];
  const void* name = &part_name<T>;
  for (std::size_t at = hash_place_of(name);; at = (at + 1) % parts->named.size()) {
    const Part& part = parts->named[at];
    if (part.name == name || part.name == nullptr) return part.object;
  }
}

template <class T>
[[gnu::noinline]] T& make_part() {
  T* part = new T();
  make_part_slot(&part_name<T>, fixed_place<T>) = part;
  return *part;
}

}  // namespace detail

// The calling rank's T, default-constructed at first use.
template <class T>
T& per_rank() {
  void* known = detail::find_part<T>(actor_slot());
  return known != nullptr ? *static_cast<T*>(known) : detail::make_part<T>();
}

// The calling rank's T if there is one, else null; for code that must not change the rank.
template <class T>
T* find_per_rank() {
  return static_cast<T*>(detail::find_part<T>(actor_slot()));
}

// The T of the rank with this actor_slot(), or null; also outside of ranks.
template <class T>
const T* find_per_rank(const void* slot) {
  return static_cast<const T*>(detail::find_part<T>(slot));
}

}  // namespace rehearse::smpi
