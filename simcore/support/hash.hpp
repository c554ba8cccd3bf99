// SPDX-License-Identifier: MIT
//
// The hashes of the project: xxHash for bytes in memory, FNV-1a for values in files and for content that comes in
// pieces of any size, and hashes of single words.
//
// Source: xxHash's XXH3; Fowler, Noll, Vo: FNV-1a, 64 bits (RFC 9923); the finalizer of SplitMix64 (Steele, Lea, Flood,
//         OOPSLA 2014); multiplication by the golden ratio (Knuth, The Art of Computer Programming, volume 3, 6.4).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace rehearse {

constexpr std::uint64_t golden_ratio = 0x9e3779b97f4a7c15;  // times 2^64; odd

// A bijection in which each bit of x changes about half of the bits of the result.
constexpr std::uint64_t spread(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

// The hash of a sequence of words, from that of the words before the last one. Fast; the order counts.
constexpr std::uint64_t hash_with(std::uint64_t so_far, std::uint64_t word) {
  const std::uint64_t product = (so_far ^ word) * golden_ratio;
  return product ^ product >> 32;
}

// XXH3, 64 bits. May change in a later version, so never store it.
std::uint64_t hash_in_memory(const void* data, std::size_t bytes);

// FNV-1a: the same number for the same bytes, however they come, in each version.
class StableHash {
 public:
  constexpr StableHash() = default;
  explicit constexpr StableHash(std::uint64_t so_far) : value_(so_far) {}  // to continue
  constexpr void add(std::uint8_t byte) { value_ = (value_ ^ byte) * 0x100000001b3; }
  constexpr void add(std::string_view text) {
    for (const char byte : text) add(static_cast<std::uint8_t>(byte));
  }
  constexpr std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

}  // namespace rehearse
