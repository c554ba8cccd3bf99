// SPDX-License-Identifier: MIT
//
// Random numbers that are the same on every machine.
//
// Source: SplitMix64 (Steele, Lea, Flood, OOPSLA 2014). The distributions of the standard library differ
//         between vendors.
#pragma once

#include <cstdint>

#include "simcore/support/hash.hpp"

namespace rehearse {

class SplitMix {
 public:
  explicit SplitMix(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() { return spread(state_ += golden_ratio); }

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
