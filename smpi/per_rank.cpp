// SPDX-License-Identifier: MIT
//
// The table of a rank's parts: made with the first, never full, never smaller.
#include "smpi/per_rank.hpp"

#include <algorithm>
#include <iterator>

#include "simcore/support/assert.hpp"

namespace rehearse::smpi::detail {

void*& make_part_slot(const void* name, std::size_t place) {
  void*& slot = actor_slot();
  if (slot == nullptr) slot = new Parts();
  if (place < fixed_places) return static_cast<Parts*>(slot)->fixed[place];
  std::array<Part, 64>& parts = static_cast<Parts*>(slot)->named;
  // Searches end at an empty place; with half of them empty, soon.
  const auto is_used = [](const Part& part) { return part.name != nullptr; };
  REHEARSE_ASSERT(2 * std::count_if(parts.begin(), parts.end(), is_used) < std::ssize(parts),
                  "the library has as many parts as expected");
  for (std::size_t at = home_of(name);; at = (at + 1) % parts.size()) {
    Part& part = parts[at];
    if (part.name == nullptr) part.name = name;
    if (part.name == name) return part.object;
  }
}

}  // namespace rehearse::smpi::detail
