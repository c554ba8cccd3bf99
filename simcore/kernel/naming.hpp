// SPDX-License-Identifier: MIT
//
// Names of actors, activities and objects that do not depend on the order of independent steps.
#pragma once

#include <cstdint>

#include "simcore/support/hash.hpp"

namespace rehearse::sim::kernel {

// Gives numbers to the objects that an actor or event makes; they depend only on `self` and on the count.
struct Naming {
  std::uint64_t self = 0;
  std::uint64_t made = 0;
  bool counts = true;  // false: all have the same number, so that a state can come again

  std::uint64_t next() {
    const std::uint64_t name = coming();
    if (counts) ++made;
    return name;
  }
  std::uint64_t coming() const { return mix(self, made + 1); }  // what next() will return
  static std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
    return spread(a * golden_ratio + b + 0x632be59bd9b4e019u) | 1;
  }
};

}  // namespace rehearse::sim::kernel
