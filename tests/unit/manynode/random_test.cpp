// SPDX-License-Identifier: MIT
//
// The counter-based generator: the known answers of its authors, and the addresses of draws.
#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "manynode/random.hpp"

namespace rehearse::manynode {

TEST_CASE("random: Philox 4x32-10 gives the known answers of its authors", "[manynode]") {
  // kat_vectors of Random123.
  CHECK(philox({0, 0, 0, 0}, {0, 0}) == PhiloxCounter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}) ==
        PhiloxCounter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
        PhiloxCounter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("random: a uniform number is never 0 and never 1", "[manynode]") {
  CHECK(uniform_of(0, 0) == 0x1p-53);
  CHECK(uniform_of(0xffffffff, 0xffffffff) == 1 - 0x1p-53);
}

TEST_CASE("random: each part of the address changes the draw", "[manynode]") {
  const DrawAddress at{5, 1, 2, 3, 4};
  std::set<double> draws = {uniform(at)};
  for (int part = 0; part < 6; ++part) {
    DrawAddress other = at;
    if (part == 0) ++other.seed;
    if (part == 1) other.seed += std::uint64_t{1} << 32;
    if (part == 2) ++other.replica;
    if (part == 3) ++other.rank;
    if (part == 4) ++other.marker;
    if (part == 5) ++other.occurrence;
    draws.insert(uniform(other));
  }
  CHECK(draws.size() == 7);
  CHECK(uniform(at) == uniform(at));
}

TEST_CASE("random: draws of neighbouring addresses are uniform and not correlated", "[manynode]") {
  constexpr std::uint32_t count = 100'000;
  double sum = 0, squares = 0, products = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const UniformPair pair = uniform_pair({1, 0, i, 0, 7});
    sum += pair.first;
    squares += pair.first * pair.first;
    products += (pair.first - 0.5) * (pair.second - 0.5);
  }
  // Four standard errors: sqrt(1/12), sqrt(4/45), 1/12, each over sqrt(count).
  const double root = std::sqrt(double{count});
  CHECK(std::abs(sum / count - 0.5) < 4 * 0.2887 / root);
  CHECK(std::abs(squares / count - 1.0 / 3) < 4 * 0.2981 / root);
  CHECK(std::abs(products / count) < 4 * 0.0833 / root);
}

}  // namespace rehearse::manynode
