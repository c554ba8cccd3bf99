// SPDX-License-Identifier: MIT
//
// A hash of words that come one after the other.
// Source: multiplication by the golden ratio, Knuth, The Art of Computer Programming, volume 3, 6.4.
#pragma once

#include <bit>
#include <cstdint>

namespace rehearse::sharing {

inline std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
  return (std::rotl(hash, 29) ^ word) * 0x9e3779b97f4a7c15u;
}

}  // namespace rehearse::sharing
