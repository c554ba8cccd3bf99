// SPDX-License-Identifier: MIT
//
// Choosing collective algorithms by rules.
#include <catch2/catch.hpp>

#include <fstream>

#include "simcore/collective/rules.hpp"
#include "smpi/collective_rules.hpp"
#include "tests/support/schedule_interpreter.hpp"
#include "tests/support/temporary_file.hpp"

namespace rules_test {

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
  if (name == generic_rules().name) return parsed(generic_rules().text);
  for (const RuleSet& set : smpi::collective_rules())
    if (set.name == name) return parsed(set.text);
  FAIL("no such rules");
  return {};
}

}  // namespace

TEST_CASE("rules: the first line that fits and its first bound that holds decide", "[simcore][collective]") {
  const Rules rules = parsed("broadcast members<4: <8 linear, <=1K\n"
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

TEST_CASE("rules: an algorithm that does not work for the shape is replaced by the next one", "[simcore][collective]") {
  const Rules rules = parsed("alltoall: pairwise_xor\nallreduce: rabenseifner\nallgather: neighbor_exchange\n");
  CHECK(chosen(rules, {.kind = CollectiveKind::alltoall, .members = 4}) == "pairwise_xor");
  CHECK(chosen(rules, {.kind = CollectiveKind::alltoall, .members = 3}) == "pairwise");
  CHECK(chosen(rules, {.kind = CollectiveKind::allgather, .members = 3}) == "ring");
  CHECK(chosen(rules, {.kind = CollectiveKind::allreduce, .members = 7, .elements = 3, .bytes = 24}) ==
        "recursive_doubling");
  CHECK(chosen(rules, {.kind = CollectiveKind::allreduce, .members = 7, .elements = 4, .bytes = 32}) == "rabenseifner");
}

TEST_CASE("rules: a mistake is reported with its line and the accepted values", "[simcore][collective]") {
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

TEST_CASE("rules: sets, files and single algorithms can be combined", "[simcore][collective]") {
  const auto rounds = [](const std::string& rules, CollectiveKind kind) {
    auto schedules = make_schedules(rules, smpi::collective_rules());
    if (!schedules) FAIL(schedules.error().text);
    return schedules.value()->find({.kind = kind, .members = 8, .bytes = 8})->rounds();
  };
  const testing::TemporaryFile file("barrier: double_ring\notherwise mpich\n");
  CHECK(rounds("generic", CollectiveKind::barrier) == 3);
  CHECK(rounds("barrier=double_ring", CollectiveKind::barrier) == 4);
  CHECK(rounds(file.path(), CollectiveKind::barrier) == 4);
  CHECK(rounds(file.path(), CollectiveKind::alltoallv) == 1);
  CHECK(rounds("generic", CollectiveKind::alltoallv) == 7);
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

namespace {

bool is_combining(CollectiveKind kind) {
  using Kind = CollectiveKind;
  return kind == Kind::reduce || kind == Kind::allreduce || kind == Kind::scan || kind == Kind::exscan ||
         kind == Kind::reduce_scatter || kind == Kind::reduce_scatter_block;
}

std::vector<CollectiveKind> all_operations() {
  std::vector<CollectiveKind> all;
  for (const Algorithm* algorithm : all_algorithms())
    if (all.empty() || all.back() != algorithm->operation) all.push_back(algorithm->operation);
  return all;
}

// So many members on some hosts, with this many bytes; other variants have other operators, hosts and element sizes.
struct Example {
  Example(CollectiveKind kind, std::uint32_t members, std::uint64_t bytes, std::uint32_t variant) : hosts(members) {
    for (std::uint32_t i = 0; i < members; ++i) hosts[i] = variant & 2 ? i / 4 : variant & 8 ? i % 3 : i;
    shape = {.kind = kind,
             .root = variant % members,
             .members = members,
             .is_combining = is_combining(kind),
             .is_commutative = (variant & 1) == 0,
             .elements = variant & 4 ? bytes / 8 : 0,
             .bytes = bytes,
             .total_bytes = variant & 4 ? bytes * members : 0,
             .hosts = hosts};
  }
  Example(const Example&) = delete;
  Example& operator=(const Example&) = delete;

  std::vector<std::uint32_t> hosts;
  CollectiveShape shape;
};

// 1 to 33, and more around powers of two.
std::vector<std::uint32_t> member_counts() {
  std::vector<std::uint32_t> counts{48,  60,  63,  64,  65,   100,  127,  128,  129,  255,
                                    256, 257, 511, 512, 1000, 1024, 2048, 4095, 4096, 5000};
  for (std::uint32_t members = 1; members <= 33; ++members) counts.push_back(members);
  return counts;
}

// Sizes on both sides of powers of two.
std::vector<std::uint64_t> sizes(std::uint32_t step) {
  std::vector<std::uint64_t> all{0};
  for (std::uint32_t exponent = 0; exponent <= 32; exponent += step)
    for (const std::uint64_t less : {1, 0}) all.push_back((std::uint64_t{1} << exponent) - less);
  return all;
}

// The first shape for which these rules choose what does not work for it, or nothing.
std::string wrong_choice(const Rules& rules, CollectiveKind kind, std::uint32_t step) {
  for (const std::uint32_t members : member_counts())
    for (const std::uint64_t bytes : sizes(members > 33 ? 3 * step : step))
      for (std::uint32_t variant = 0; variant < 12; ++variant) {
        const Example example(kind, members, bytes, variant);
        const auto found = choose(rules, example.shape);
        if (!found || !holds(found->algorithm->needs, example.shape))
          return std::string(name_of(kind)) + " of " + std::to_string(members) + ", " + std::to_string(bytes) +
                 " bytes, variant " + std::to_string(variant);
      }
  return "";
}

}  // namespace

TEST_CASE("rules: no set of rules picks an algorithm that does not work", "[simcore][collective]") {
  for (const std::string_view name : {"generic", "ompi", "mpich"})
    for (const CollectiveKind kind : all_operations()) {
      INFO(name);
      CHECK(wrong_choice(rules_named(name), kind, 1) == "");
    }
}

TEST_CASE("rules: a user's choice of an algorithm that does not work is replaced", "[simcore][collective]") {
  for (const Algorithm* algorithm : all_algorithms()) {
    const std::string operation(name_of(algorithm->operation)), name(algorithm->name);
    INFO(operation << "=" << name);
    CHECK(wrong_choice(parsed(operation + ": " + name + "\n"), algorithm->operation, 3) == "");
  }
}

TEST_CASE("rules: the list gives the algorithm that replaces one that does not work", "[simcore][collective]") {
  std::uint64_t given_way = 0;
  for (const Algorithm* algorithm : all_algorithms()) {
    Rules rules;
    rules.by_operation[algorithm->operation].push_back({algorithm->operation, {}, {{{}, algorithm, {}}}});
    for (std::uint32_t members = 1; members <= 33; ++members)
      for (std::uint32_t variant = 0; variant < 12; ++variant) {
        const Example example(algorithm->operation, members, 16, variant);
        const Algorithm* expected = algorithm;
        for (; !holds(expected->needs, example.shape); ++given_way)
          expected = find_algorithm(expected->operation, expected->otherwise);
        CHECK(choose(rules, example.shape)->algorithm == expected);
      }
  }
  CHECK(given_way > 1000);
}

TEST_CASE("rules: a chosen algorithm delivers the defined result of its operation", "[simcore][collective]") {
  constexpr std::uint64_t some_sizes[] = {0, 1, 100, 2049, 40'000, 1 << 20, 10'000'019};
  std::string wrong;
  for (const std::string rules : {"generic", "ompi", "mpich"}) {
    const auto schedules = std::move(make_schedules(rules, smpi::collective_rules()).value());
    for (const CollectiveKind kind : all_operations())
      for (std::uint32_t members = 1; members <= 33 && wrong.empty(); ++members) {
        // The sizes in turn, so that each meets every number of members modulo seven.
        const std::uint32_t turn = members + static_cast<std::uint32_t>(kind);
        const Example example(kind, members, some_sizes[turn % 7], turn % 12);
        const std::string problem = testing::problem_of(*schedules->find(example.shape), example.shape);
        if (!problem.empty())
          wrong = rules + ": " + std::string(name_of(kind)) + " of " + std::to_string(members) + ": " + problem;
      }
  }
  CHECK(wrong == "");
}

TEST_CASE("rules: algorithms give wrong results where their preconditions do not hold", "[simcore][collective]") {
  const auto problem = [](CollectiveKind kind, std::string_view name, std::uint32_t members, bool is_commutative) {
    const CollectiveShape shape{.kind = kind,
                                .members = members,
                                .is_combining = is_combining(kind),
                                .is_commutative = is_commutative,
                                .bytes = 1000};
    const Algorithm& algorithm = *find_algorithm(kind, name);
    CHECK(!holds(algorithm.needs, shape));
    return testing::problem_of(*algorithm.build(shape, algorithm.defaults), shape);
  };
  using Kind = CollectiveKind;
  CHECK(problem(Kind::alltoall, "pairwise_xor", 3, true) != "");
  CHECK(problem(Kind::allgather, "recursive_doubling", 6, true) != "");
  CHECK(problem(Kind::allgather, "neighbor_exchange", 5, true) != "");
  CHECK(problem(Kind::reduce_scatter, "recursive_doubling", 6, true) != "");
  CHECK(problem(Kind::allreduce, "ring", 5, false) != "");
  CHECK(problem(Kind::reduce, "binary", 6, false) != "");
  CHECK(problem(Kind::reduce_scatter, "ring", 5, false) != "");
  CHECK(problem(Kind::reduce_scatter, "pairwise", 5, false) != "");
}

TEST_CASE("rules: the rules of libraries make the documented choices", "[simcore][collective]") {
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
  CHECK(chosen(mpich, {.kind = CollectiveKind::alltoall, .members = 8, .bytes = 64 * 8}) == "linear_sync");
  CHECK(chosen(mpich, {.kind = CollectiveKind::alltoall, .members = 9, .bytes = 64 * 9}) == "bruck");
  shape = {.kind = CollectiveKind::broadcast, .members = 3000, .bytes = 1 << 20};
  CHECK(chosen(ompi, shape) == "scatter_allgather");
  CHECK(chosen(mpich, shape) == "scatter_allgather_ring");
  shape = {.kind = CollectiveKind::gather, .members = 5, .bytes = 2048};
  CHECK(chosen(ompi, shape) == "linear");
}

}  // namespace rules_test
