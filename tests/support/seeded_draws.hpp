// SPDX-License-Identifier: MIT
//
// A few small numbers from one seed, the same on each machine, for the features of a random test program.
#pragma once

#include <cstdint>

namespace rehearse::tests {

class SeededDraws {
 public:
  explicit SeededDraws(std::uint64_t seed) : bits_(seed * 0x9e3779b97f4a7c15ull) {
    bits_ ^= bits_ >> 29;
    bits_ *= 0xbf58476d1ce4e5b9ull;
    bits_ ^= bits_ >> 32;
  }

  // From 0 to `choices` - 1. The product of all numbers of choices must be far below 2^64.
  std::uint32_t operator()(std::uint64_t choices) {
    const std::uint64_t drawn = bits_ % choices;
    bits_ /= choices;
    return static_cast<std::uint32_t>(drawn);
  }

 private:
  std::uint64_t bits_;
};

}  // namespace rehearse::tests
