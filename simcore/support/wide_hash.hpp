// SPDX-License-Identifier: MIT
//
// Hashes that identify their content: among a billion contents, the probability that two have the same hash is below
// 1e-20. They may change in a later version, so never store them.
//
// Source: xxHash's XXH3, 128 bits.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rehearse {

struct WideHash {
  std::uint64_t low = 0, high = 0;
  bool operator==(const WideHash&) const = default;
};

WideHash wide_hash(const void* data, std::size_t bytes);

}  // namespace rehearse
