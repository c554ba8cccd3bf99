// SPDX-License-Identifier: MIT
//
// Sets of operations, against std::set.
#include "smpi/rma_model/operation_set.hpp"

#include <catch2/catch.hpp>
#include <random>
#include <set>

namespace operation_set_test {

using rehearse::smpi::model::OperationSet;
using rehearse::smpi::model::RecordId;

namespace {

// Equal contents, and no more runs than needed.
bool agree(const OperationSet& set, const std::set<RecordId>& wanted) {
  std::size_t count = 0, gaps = 0;
  for (const auto& [actor, runs] : set.runs())
    for (const OperationSet::Run& run : runs) {
      ++gaps;
      count += run.end - run.begin;
    }
  std::size_t needed = 0;
  for (const RecordId& id : wanted) {
    if (!set.contains(id)) return false;
    needed += wanted.contains({id.actor, id.number - 1}) ? 0 : 1;
  }
  return count == wanted.size() && gaps == needed;
}

}  // namespace

TEST_CASE("sets of operations: random insertions, removals and unions agree with std::set") {
  std::mt19937 random(7);
  OperationSet one, other;
  std::set<RecordId> one_wanted, other_wanted;
  for (int step = 0; step < 3000; ++step) {
    const RecordId id{static_cast<std::uint32_t>(random() % 3), 1 + static_cast<std::uint32_t>(random() % 40)};
    switch (random() % 8) {
      case 0:
        one.erase(id);
        one_wanted.erase(id);
        break;
      case 1:
        other.insert(id);
        other_wanted.insert(id);
        break;
      case 2:
        if (random() % 20 != 0) break;
        one.join(other);
        one_wanted.insert(other_wanted.begin(), other_wanted.end());
        break;
      case 3:
        one.erase({id.actor, id.number / 2});
        one_wanted.erase({id.actor, id.number / 2});
        break;
      default: REQUIRE(one.insert(id) == one_wanted.insert(id).second); break;
    }
    REQUIRE(agree(one, one_wanted));
    REQUIRE(agree(other, other_wanted));
  }
}

TEST_CASE("sets of operations: a prefix is one run") {
  OperationSet set;
  for (std::uint32_t number = 0; number < 1000; ++number) set.insert({2, number});
  REQUIRE(set.runs().at(2).size() == 1);
  CHECK(set.runs().at(2).front() == OperationSet::Run{0, 1000});
}

}  // namespace operation_set_test
