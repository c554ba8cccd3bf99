// SPDX-License-Identifier: MIT
//
// Random numbers that are the same on every machine.
//
// Source: SplitMix64 (Steele, Lea, Flood, OOPSLA 2014). The distributions of the standard library differ
//         between vendors.
#pragma once

#include <cstdint>

namespace rehearse {

class SplitMix {
 public:
  explicit SplitMix(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  // In [0, 1).
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  // In 0 .. count - 1; requires count > 0. Its bias is below count / 2^64.
  std::uint64_t below(std::uint64_t count) {
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(next()) * count) >> 64);
  }

 private:
  std::uint64_t state_;
};

}  // namespace rehearse
