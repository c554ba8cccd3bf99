// SPDX-License-Identifier: MIT
//
// The table of a rank's parts: few enough that a search from the front is the fastest way.
#include "smpi/per_rank.hpp"

#include <array>
#include <cstddef>

#include "simcore/actor.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::smpi::detail {
namespace {

constexpr std::size_t parts_max = 32;

struct Part {
  const void* name = nullptr;
  void* object = nullptr;
};

using Parts = std::array<Part, parts_max>;

}  // namespace

void*& part_slot(const void* name) {
  void*& slot = actor_slot();
  if (slot == nullptr) slot = new Parts();
  for (Part& part : *static_cast<Parts*>(slot)) {
    if (part.name == nullptr) part.name = name;
    if (part.name == name) return part.object;
  }
  internal_error(__FILE__, __LINE__, "parts_max", "the library has more parts than expected");
}

void* find_part(const void* name) {
  const auto* parts = static_cast<const Parts*>(actor_slot());
  if (parts == nullptr) return nullptr;
  for (const Part& part : *parts)
    if (part.name == name) return part.object;
  return nullptr;
}

}  // namespace rehearse::smpi::detail
