// SPDX-License-Identifier: MIT
//
// The two hashes of the project: xxHash for tables in memory, and FNV-1a for values in files and for content that comes
// in pieces of any size.
//
// Source: xxHash's XXH3; Fowler, Noll, Vo: FNV-1a, 64 bits (RFC 9923).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace rehearse {

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
