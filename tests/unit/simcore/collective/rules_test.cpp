// SPDX-License-Identifier: MIT
//
// Choosing collective algorithms by rules.
#include <catch2/catch.hpp>

#include <fstream>

#include "simcore/collective/rules.hpp"
#include "smpi/collective_rules.hpp"
#include "tests/support/temporary_file.hpp"

using namespace rehearse;
using namespace rehearse::collective;

namespace {

Rules parsed(std::string_view text) {
  auto rules = parse_rules(text, "rules");
  if (!rules) FAIL(rules.error().text);
  return std::move(rules.value());
}

std::string error_in(std::string_view text) {
  auto rules = parse_rules(text, "my.rules");
  return rules ? "no error" : rules.error().text;
}

std::string chosen(const Rules& rules, const CollectiveShape& shape) {
  const auto found = choose(rules, shape);
  return found ? std::string(found->algorithm->name) : "nothing";
}

Rules rules_named(std::string_view name) {
  for (const RuleSet& set : smpi::collective_rules())
    if (set.name == name) return parsed(set.text);
  FAIL("no such rules");
  return {};
}

}  // namespace

TEST_CASE("rules: the first line that fits and its first bound that holds decide", "[simcore][collective]") {
  const Rules rules = parsed(
      "broadcast members<4: <8 linear, <=1K\n"
      "    chain, binary   # goes on\n"
      "broadcast power_of_two: <2*members linear, knomial:radix=3\n"
      "allreduce noncommutative: linear\n"
      "allgather members>=3 members<=5: <16/members linear, ring\n");
  const auto broadcast = [&](std::uint32_t members, std::uint64_t bytes) {
    return chosen(rules, {.kind = CollectiveKind::broadcast, .members = members, .bytes = bytes});
  };
  CHECK(broadcast(2, 7) == "linear");
  CHECK(broadcast(2, 8) == "chain");
  CHECK(broadcast(3, 1024) == "chain");
  CHECK(broadcast(3, 1025) == "binary");
  CHECK(broadcast(4, 7) == "linear");
  CHECK(broadcast(4, 8) == "knomial");
  CHECK(broadcast(5, 8) == "nothing");
  CHECK(choose(rules, {.kind = CollectiveKind::broadcast, .members = 4, .bytes = 8})->parameters.radix == 3);
  CHECK(chosen(rules, {.kind = CollectiveKind::allreduce, .members = 4}) == "nothing");
  CHECK(chosen(rules, {.kind = CollectiveKind::allreduce, .members = 4, .is_commutative = false}) == "linear");
  CHECK(chosen(rules, {.kind = CollectiveKind::allgather, .members = 4, .bytes = 3}) == "linear");
  CHECK(chosen(rules, {.kind = CollectiveKind::allgather, .members = 4, .bytes = 4}) == "ring");
  CHECK(chosen(rules, {.kind = CollectiveKind::allgather, .members = 6, .bytes = 4}) == "nothing");
}

TEST_CASE("rules: an algorithm that does not work for the shape gives way to the next", "[simcore][collective]") {
  const Rules rules = parsed("alltoall: pairwise_xor\nallreduce: rabenseifner\nallgather: neighbor_exchange\n");
  CHECK(chosen(rules, {.kind = CollectiveKind::alltoall, .members = 4}) == "pairwise_xor");
  CHECK(chosen(rules, {.kind = CollectiveKind::alltoall, .members = 3}) == "pairwise");
  CHECK(chosen(rules, {.kind = CollectiveKind::allgather, .members = 3}) == "ring");
  CHECK(chosen(rules, {.kind = CollectiveKind::allreduce, .members = 7, .elements = 3, .bytes = 24}) ==
        "recursive_doubling");
  CHECK(chosen(rules, {.kind = CollectiveKind::allreduce, .members = 7, .elements = 4, .bytes = 32}) ==
        "rabenseifner");
}

TEST_CASE("rules: mistakes are named with their line and what is accepted", "[simcore][collective]") {
  CHECK(error_in("barrier: tree\nbarier: tree\n") ==
        "my.rules:2: unknown operation 'barier'; accepted: barrier, broadcast, reduce, allreduce, gather, gatherv, "
        "scatter, scatterv, allgather, allgatherv, alltoall, alltoallv, scan, exscan, reduce_scatter, "
        "reduce_scatter_block");
  CHECK(error_in("\n\nscan: quick") ==
        "my.rules:3: unknown algorithm 'quick' for scan; accepted: hillis_steele, recursive_doubling, linear");
  CHECK(error_in("scan members~3: linear").starts_with("my.rules:1: unknown condition 'members~3'; accepted: "));
  CHECK(error_in("scan: <3G linear").starts_with("my.rules:1: bound '<3G' given; accepted: "));
  CHECK(error_in("scan").starts_with("my.rules:1: 'scan' given; accepted: OPERATION "));
  CHECK(error_in("scan:").starts_with("my.rules:1: unknown algorithm '' for scan"));
  CHECK(error_in("broadcast: chain:radix=0").starts_with("my.rules:1: 'radix=0' given; accepted: radix=N"));
  CHECK(error_in("broadcast: linear:radix=2") ==
        "my.rules:1: 'radix' is not a parameter of 'linear'; accepted: linear:segment=0");
}

TEST_CASE("rules: sets, files and single algorithms come together", "[simcore][collective]") {
  const auto rounds = [](const std::string& rules, CollectiveKind kind) {
    auto schedules = make_schedules(rules, smpi::collective_rules());
    if (!schedules) FAIL(schedules.error().text);
    return schedules.value()->find({.kind = kind, .members = 8, .bytes = 8})->rounds();
  };
  const testing::TemporaryFile file("barrier: double_ring\notherwise mpich\n");
  CHECK(rounds("generic", CollectiveKind::barrier) == 3);
  CHECK(rounds("barrier=double_ring", CollectiveKind::barrier) == 4);
  CHECK(rounds(file.path(), CollectiveKind::barrier) == 4);
  CHECK(rounds(file.path(), CollectiveKind::alltoall) == 3);
  CHECK(rounds("generic", CollectiveKind::alltoall) == 7);
  CHECK(rounds("alltoall=pairwise_xor," + file.path(), CollectiveKind::alltoall) == 7);
  CHECK(rounds("alltoall=linear_sync:window=2,barrier=double_ring", CollectiveKind::alltoall) == 4);

  const auto error = [](const std::string& rules) {
    auto schedules = make_schedules(rules, smpi::collective_rules());
    return schedules ? "no error" : schedules.error().text;
  };
  CHECK(error("fast") == "'fast' given; accepted: generic, ompi, mpich, a file of rules that can be read, or "
                         "OPERATION=ALGORITHM");
  CHECK(error("barrier=fast").starts_with("'barrier=fast': unknown algorithm 'fast' for barrier; accepted: "));
  CHECK(error("bcast=linear").starts_with("'bcast=linear': unknown operation 'bcast'; accepted: "));
  const testing::TemporaryFile circle("");
  std::ofstream(circle.path()) << "otherwise " << circle.path() << "\n";
  CHECK(error(circle.path()).find("refer to each other") != std::string::npos);
}

TEST_CASE("rules: no set of rules picks an algorithm that does not work", "[simcore][collective]") {
  std::string wrong;
  for (const std::string_view name : {"ompi", "mpich"}) {
    const Rules rules = rules_named(name);
    for (const Algorithm* algorithm : all_algorithms())
      for (std::uint32_t members = 1; members <= 40; ++members)
        for (std::uint64_t bytes = 0; bytes < 1u << 25; bytes = bytes * 2 + (bytes % 3 == 0))
          for (int variant = 0; variant < 8; ++variant) {
            std::vector<std::uint32_t> hosts(members);
            for (std::uint32_t i = 0; i < members; ++i) hosts[i] = i / (variant & 2 ? 4 : 1);
            const CollectiveShape shape{.kind = algorithm->operation,
                                        .members = members,
                                        .is_commutative = (variant & 1) == 0,
                                        .elements = variant & 4 ? bytes / 8 : bytes,
                                        .bytes = bytes,
                                        .hosts = hosts};
            const auto found = choose(rules, shape);
            if (!found || !holds(found->algorithm->needs, shape))
              wrong = std::string(name) + ": " + std::string(name_of(shape.kind)) + " of " +
                      std::to_string(members);
          }
  }
  CHECK(wrong == "");
}

TEST_CASE("rules: what the libraries choose is what they document", "[simcore][collective]") {
  const Rules ompi = rules_named("ompi"), mpich = rules_named("mpich");
  const CollectiveShape small{.kind = CollectiveKind::allreduce, .members = 100, .bytes = 8};
  CHECK(chosen(ompi, small) == "recursive_doubling");
  CHECK(chosen(mpich, small) == "recursive_doubling");
  CollectiveShape shape{.kind = CollectiveKind::alltoall, .members = 64, .bytes = 64 * 100};
  CHECK(chosen(ompi, shape) == "bruck");
  shape.bytes = 64 << 20;
  CHECK(chosen(ompi, shape) == "pairwise");
  CHECK(chosen(mpich, shape) == "pairwise_xor");
  shape.members = 3;
  CHECK(chosen(mpich, shape) == "pairwise");
  shape = {.kind = CollectiveKind::broadcast, .members = 3000, .bytes = 1 << 20};
  CHECK(chosen(ompi, shape) == "scatter_allgather");
  CHECK(chosen(mpich, shape) == "scatter_allgather_ring");
  shape = {.kind = CollectiveKind::gather, .members = 5, .bytes = 2048};
  CHECK(chosen(ompi, shape) == "linear");
}
