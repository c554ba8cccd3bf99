// SPDX-License-Identifier: MIT
//
// The table of a rank's parts. It is made with the first part and never shrinks.
#include "smpi/per_rank.hpp"

#include "simcore/support/assert.hpp"

namespace rehearse::smpi::detail {

void*& make_part_slot(const void* name, std::size_t place) {
  void*& slot = actor_slot();
  if (slot == nullptr) slot = new Parts();
  Parts& parts = *static_cast<Parts*>(slot);
  if (place < fixed_places) return parts.fixed[place];
  for (std::size_t at = hash_place_of(name);; at = (at + 1) % parts.named.size()) {
    Part& part = parts.named[at];
    if (part.name == name) return part.object;
    if (part.name != nullptr) continue;
    part.name = name;
    // Searches end at an empty place, so half of the places stay empty to keep searches short.
    REHEARSE_ASSERT(2 * ++parts.named_count <= parts.named.size(), "the library has as many parts as expected");
    return part.object;
  }
}

}  // namespace rehearse::smpi::detail
