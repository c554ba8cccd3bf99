// SPDX-License-Identifier: MIT
//
// Draws of the many-node method: each is a function of its address alone (seed, replica, rank, marker, occurrence). So
// draws do not depend on the order of events, on the number of jobs or on the network, and a replica can be repeated
// alone.
//
// Source:  J. Salmon, M. Moraes, R. Dror, D. Shaw, Parallel random numbers: as easy as 1, 2, 3, SC 2011 (Philox 4x32
//          with 10 rounds). Tests compare it with the known answers that its authors publish.
// Threads: none; functions of their arguments.
#pragma once

#include <array>
#include <cstdint>

namespace rehearse::manynode {

using PhiloxCounter = std::array<std::uint32_t, 4>;
using PhiloxKey = std::array<std::uint32_t, 2>;

constexpr PhiloxCounter philox(PhiloxCounter counter, PhiloxKey key) {
  constexpr std::uint64_t first_factor = 0xd2511f53, second_factor = 0xcd9e8d57;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t first = first_factor * counter[0], second = second_factor * counter[2];
    counter = {static_cast<std::uint32_t>(second >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(second),
               static_cast<std::uint32_t>(first >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(first)};
    key[0] += 0x9e3779b9;  // the golden ratio
    key[1] += 0xbb67ae85;  // sqrt(3) - 1
  }
  return counter;
}

// Where a draw belongs. For a draw that all ranks share, `rank` is `all_ranks`.
struct DrawAddress {
  static constexpr std::uint32_t all_ranks = 0xffffffff;

  std::uint64_t seed = 1;
  std::uint32_t replica = 0;
  std::uint32_t rank = 0;
  std::uint32_t marker = 0;      // a number of the marker, or of another purpose that draws
  std::uint32_t occurrence = 0;  // execution of this marker on this rank, from 0
};

// Two independent numbers, uniform in (0, 1): never 0, never 1.
struct UniformPair {
  double first = 0, second = 0;
};

// 52 of the 64 bits, and one half behind them: an exact number, symmetric around 0.5.
constexpr double uniform_of(std::uint32_t high, std::uint32_t low) {
  const std::uint64_t bits = (static_cast<std::uint64_t>(high) << 32 | low) >> 12;
  return (static_cast<double>(bits) + 0.5) * 0x1p-52;
}

constexpr UniformPair uniform_pair(const DrawAddress& at) {
  const PhiloxCounter word = philox({at.occurrence, at.marker, at.rank, at.replica},
                                    {static_cast<std::uint32_t>(at.seed), static_cast<std::uint32_t>(at.seed >> 32)});
  return {uniform_of(word[0], word[1]), uniform_of(word[2], word[3])};
}

constexpr double uniform(const DrawAddress& at) { return uniform_pair(at).first; }

}  // namespace rehearse::manynode
