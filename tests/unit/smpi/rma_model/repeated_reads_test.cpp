// SPDX-License-Identifier: MIT
//
// Reads of a window that teach a rank nothing.
#include "smpi/rma_model/repeated_reads.hpp"

#include <catch2/catch.hpp>
#include <vector>

namespace repeated_reads_test {

using rehearse::smpi::model::RepeatedReads;

namespace {

std::vector<std::byte> bytes(std::initializer_list<int> values) {
  std::vector<std::byte> all;
  for (const int value : values) all.push_back(static_cast<std::byte>(value));
  return all;
}

}  // namespace

TEST_CASE("repeated reads: the same value at the same place counts, also among others", "[smpi]") {
  RepeatedReads reads;
  for (int i = 0; i < 3; ++i) {
    reads.add(bytes({1}), bytes({0}));
    reads.add(bytes({2}), bytes({0}));
  }
  CHECK(reads.count() == 4);
}

TEST_CASE("repeated reads: a new value or place begins again", "[smpi]") {
  RepeatedReads reads;
  reads.add(bytes({1}), bytes({0}));
  reads.add(bytes({1}), bytes({0}));
  CHECK(reads.count() == 1);
  reads.add(bytes({1}), bytes({5}));
  CHECK(reads.count() == 0);
  reads.add(bytes({3}), bytes({5}));
  CHECK(reads.count() == 0);
}

}  // namespace repeated_reads_test
