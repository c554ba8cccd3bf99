// SPDX-License-Identifier: MIT
//
// Recorded collectives whose numbers contradict each other are found, and no others.
#include "trace/rtrace/collective_form.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

namespace rehearse::trace::rtrace {
namespace {

constexpr std::array members = {ActorId{4}, ActorId{7}};

struct Call {
  CollectiveKind kind;
  Flow flow;
  std::uint64_t bytes = 0;
  std::vector<std::uint64_t> parts = {};
  std::uint32_t root = 0;
};

// Of the rank that is member 0. Empty: none.
std::string broken(const Call& call, std::uint32_t first_group = 0) {
  Collective collective;
  collective.members = members;
  collective.flow = call.flow;
  collective.root = call.root;
  collective.contribution = {static_cast<const std::byte*>(nullptr), static_cast<std::size_t>(call.bytes)};
  collective.segment_bytes = call.parts;
  collective.hints.kind = call.kind;
  collective.groups.first = first_group;
  const char* rule = broken_rule(collective, members[0]);
  return rule == nullptr ? "" : rule;
}

using enum CollectiveKind;

TEST_CASE("calls of programs break no rule", "[rtrace]") {
  CHECK(broken({barrier, Flow::all_to_all}).empty());
  CHECK(broken({by_flow, Flow::nobody}).empty());
  CHECK(broken({broadcast, Flow::root_to_all, 10}).empty());
  CHECK(broken({broadcast, Flow::root_to_all, 0, {}, 1}).empty());
  CHECK(broken({scatter, Flow::root_to_all, 6, {3, 3}}).empty());
  CHECK(broken({scatterv, Flow::root_to_all, 6, {0, 6}}).empty());
  CHECK(broken({scatterv, Flow::root_to_all, 0, {}, 1}).empty());
  CHECK(broken({gather, Flow::all_to_root, 5, {}, 1}).empty());
  CHECK(broken({alltoall, Flow::all_to_all, 0, {0, 0}}).empty());
  CHECK(broken({alltoallv, Flow::all_to_all, 5, {1, 4}}).empty());
  CHECK(broken({reduce_scatter, Flow::all_to_all, 5, {5, 0}}).empty());
  CHECK(broken({by_flow, Flow::all_to_all, 5, {5, 0}}).empty());
  CHECK(broken({scan, Flow::prefix, 8}).empty());
  // Between two groups: nothing for the own group, and a root in each.
  CHECK(broken({alltoall, Flow::all_to_all, 3, {0, 3}}, 1).empty());
  CHECK(broken({broadcast, Flow::root_to_all, 3, {}, another_root}, 1).empty());
}

TEST_CASE("a contradiction in a recorded collective is named", "[rtrace]") {
  CHECK(broken({barrier, Flow::all_to_all, 1}) == "a barrier with data");
  CHECK(broken({scan, Flow::root_to_all, 8}) == "a collective whose flow is not that of its kind");
  CHECK(broken({broadcast, Flow::nobody}) == "a collective whose flow is not that of its kind");
  CHECK(broken({broadcast, Flow::root_to_all, 10, {}, 1}) == "a contribution of a rank that is not the root");
  CHECK(broken({scatter, Flow::root_to_all, 0, {0, 0}, 1}) == "a contribution of a rank that is not the root");
  CHECK(broken({alltoallv, Flow::all_to_all, 5, {1, 3}}) == "a contribution that is not the sum of its parts");
  CHECK(broken({alltoallv, Flow::all_to_all, 0, {1, ~std::uint64_t{0}}}) ==
        "a contribution that is not the sum of its parts");
  CHECK(broken({alltoall, Flow::all_to_all, 5, {1, 4}}) == "a collective whose parts do not fit its kind");
  CHECK(broken({alltoall, Flow::all_to_all, 5}) == "a collective whose parts do not fit its kind");
  CHECK(broken({allreduce, Flow::all_to_all, 4, {2, 2}}) == "a collective whose parts do not fit its kind");
}

}  // namespace
}  // namespace rehearse::trace::rtrace
