// SPDX-License-Identifier: MIT
//
// Vectors whose memory comes in huge pages when it is large.
#include "simcore/support/large_vector.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <new>
#include <numeric>

namespace rehearse::large_vector_test {
namespace {

bool begins_at_huge_page(const void* at) { return reinterpret_cast<std::uintptr_t>(at) % (std::size_t{1} << 21) == 0; }

TEST_CASE("large vector: it keeps its elements as it grows from small blocks to large ones") {
  LargeVector<std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < 3'000'000; ++i) numbers.push_back(i);
  std::uint64_t wrong = 0;
  for (std::uint32_t i = 0; i < numbers.size(); ++i) wrong += numbers[i] != i;
  CHECK(wrong == 0);
  CHECK(begins_at_huge_page(numbers.data()));
  LargeVector<std::uint32_t> moved = std::move(numbers);
  CHECK(moved.back() == 2'999'999);
  moved.resize(10);
  moved.shrink_to_fit();
  CHECK(std::accumulate(moved.begin(), moved.end(), 0u) == 45);
}

TEST_CASE("large vector: blocks of 2 MiB and more begin at a huge page") {
  LargeVector<std::byte> small, large;
  small.reserve((std::size_t{1} << 21) - 1);
  large.reserve(std::size_t{1} << 21);
  CHECK(begins_at_huge_page(large.data()));
  CHECK_FALSE(begins_at_huge_page(small.data()));
}

TEST_CASE("large vector: more than the address space is refused as by any vector") {
  LargeVector<std::uint64_t> numbers;
  CHECK_THROWS_AS(numbers.reserve(std::size_t{1} << 62), std::length_error);
  CHECK_THROWS_AS(numbers.reserve(std::size_t{1} << 55), std::bad_alloc);
}

}  // namespace
}  // namespace rehearse::large_vector_test
