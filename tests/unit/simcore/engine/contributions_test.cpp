// SPDX-License-Identifier: MIT
//
// Parts of collectives by themselves: passages that get both ends, agreement, data that is handed over.
#include "simcore/engine/contributions.hpp"

#include <catch2/catch.hpp>

#include "simcore/engine/agreement.hpp"
#include "simcore/engine/collective_rounds.hpp"

namespace rehearse::engine {
namespace {

std::span<const std::byte> bytes(std::string_view text) { return std::as_bytes(std::span(text)); }

std::string text(std::span<const std::byte> data) { return {reinterpret_cast<const char*>(data.data()), data.size()}; }

// Of `members` that give and take everything.
void begin(Instance& instance, std::uint32_t members, std::string_view name = "gather") {
  instance.name = name;
  instance.members.resize(members);
  instance.list.resize(members);
}

TEST_CASE("passages: the n-th send of a pair meets its n-th receive", "[simcore]") {
  Instance instance;
  Passage* first = &pair_passage(instance, 0, 1, true);
  first->is_sent = true;
  first->bytes = 10;
  pair_passage(instance, 0, 1, true).is_sent = true;
  pair_passage(instance, 1, 0, true).is_sent = true;  // another pair
  CHECK(instance.passages.size() == 3);
  CHECK(pair_passage(instance, 0, 1, false).bytes == 10);
  CHECK(&pair_passage(instance, 0, 1, false) == &instance.passages[1]);
  CHECK(instance.unpaired.size() == 1);
  pair_passage(instance, 0, 1, false).is_posted = true;  // nothing waits: a new one
  CHECK(instance.passages.size() == 4);
}

TEST_CASE("agreement: another operation or another root breaks the collective", "[simcore]") {
  Instance instance;
  begin(instance, 2);
  Collective operation;
  operation.name = "gather";
  compare(instance, 0, operation);
  CHECK_FALSE(instance.is_broken);
  operation.root = 1;
  compare(instance, 1, operation);
  CHECK(instance.is_broken);
  CHECK(std::string(instance.members[1].mismatch) == "root");
  operation.name = "scatter";
  compare(instance, 1, operation);
  CHECK(std::string(instance.members[1].mismatch) == "operation");
}

TEST_CASE("contributions: every member receives all contributions, or its segments of them", "[simcore]") {
  Instance instance;
  begin(instance, 2);
  Collective operation;
  const std::uint64_t segments[] = {1, 2};
  const bool has_segments = GENERATE(false, true);
  if (has_segments) operation.segment_bytes = segments;
  Request requests[2];
  const std::string_view data[] = {"abc", "xyz"};
  for (std::uint32_t i = 0; i < 2; ++i) {
    operation.contribution = bytes(data[i]);
    instance.members[i].request = &requests[i];
    requests[i].instance = &instance;
    requests[i].member = i;
    Contributions::keep(instance, i, operation);
    ++instance.arrived;
  }
  Contributions contributions;
  const auto given = contributions.deliver(requests[1]);
  REQUIRE(given.size() == 2);
  CHECK(text(given[0]) == (has_segments ? "bc" : "abc"));
  CHECK(text(given[1]) == (has_segments ? "yz" : "xyz"));
}

}  // namespace
}  // namespace rehearse::engine
