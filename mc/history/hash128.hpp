// SPDX-License-Identifier: MIT
//
// Hashes that identify their content: among a billion contents, the probability that two have the same hash is below
// 1e-20.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rehearse::mc::history {

struct Hash128 {
  std::uint64_t low = 0, high = 0;
  bool operator==(const Hash128&) const = default;
};

struct HashOfHash {
  std::size_t operator()(const Hash128& hash) const { return hash.low; }
};

// Without an address, the bytes are unknown: the hash is that of their number.
Hash128 hash_bytes(const void* data, std::size_t size);

}  // namespace rehearse::mc::history
