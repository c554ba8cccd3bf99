// SPDX-License-Identifier: MIT
//
// Every collective algorithm against the definition of its operation.
#include <catch2/catch.hpp>

#include "simcore/collective/algorithm.hpp"
#include "simcore/collective/between_groups.hpp"
#include "simcore/engine.hpp"
#include "simcore/fiber_program.hpp"
#include "tests/support/actor_calls.hpp"
#include "tests/support/schedule_interpreter.hpp"

using namespace rehearse;
using namespace rehearse::collective;
using namespace rehearse::testing;

namespace {

using Kind = CollectiveKind;

bool is_rooted(Kind kind) {
  return kind == Kind::broadcast || kind == Kind::reduce || kind == Kind::gather || kind == Kind::gatherv ||
         kind == Kind::scatter || kind == Kind::scatterv;
}

bool is_combining(Kind kind) {
  return kind == Kind::reduce || kind == Kind::allreduce || kind == Kind::scan || kind == Kind::exscan ||
         kind == Kind::reduce_scatter || kind == Kind::reduce_scatter_block;
}

bool has_segments(Kind kind) {
  return kind == Kind::scatter || kind == Kind::scatterv || kind == Kind::alltoall || kind == Kind::alltoallv ||
         kind == Kind::reduce_scatter || kind == Kind::reduce_scatter_block;
}

// Three members a host, some hosts coming again later.
std::vector<std::uint32_t> some_hosts(std::uint32_t members, std::uint32_t variant) {
  std::vector<std::uint32_t> hosts;
  for (std::uint32_t i = 0; i < members; ++i) hosts.push_back(variant == 0 ? i / 3 : variant == 1 ? i % 4 : i * 7 % 5);
  return hosts;
}

std::string text_of(const Algorithm& algorithm, const CollectiveShape& shape) {
  return std::string(name_of(algorithm.operation)) + " " + std::string(algorithm.name) + " of " +
         std::to_string(shape.members) + " from " + std::to_string(shape.root) + ", " + std::to_string(shape.bytes) +
         " bytes" + (shape.is_commutative ? "" : ", not commutative");
}

// Runs the schedule with symbols, if it is one for this shape; its problem.
std::string problem_of(const Algorithm& algorithm, const CollectiveShape& shape, const Parameters& parameters) {
  if (!holds(algorithm.needs, shape)) return "";
  const SchedulePtr schedule = algorithm.build(shape, parameters);
  const std::string problem = rehearse::testing::problem_of(*schedule, shape);
  return problem.empty() ? "" : text_of(algorithm, shape) + ": " + problem;
}

std::vector<Parameters> variants(const Algorithm& algorithm, std::uint64_t bytes) {
  std::vector<Parameters> all{algorithm.defaults};
  Parameters parameters = algorithm.defaults;
  if (algorithm.has_segment) {
    parameters.segment = bytes / 3 + 1;
    all.push_back(parameters);
  }
  if (algorithm.has_radix) {
    parameters.radix = 3;
    all.push_back(parameters);
    parameters.radix = 1;
    all.push_back(parameters);
  }
  if (algorithm.has_window) {
    parameters.window = 0;
    all.push_back(parameters);
    parameters.window = 5;
    all.push_back(parameters);
  }
  return all;
}

}  // namespace

TEST_CASE("collective: every algorithm gives every member the defined result", "[simcore][collective]") {
  std::string problem;
  for (const Algorithm* algorithm : all_algorithms())
    for (std::uint32_t members = 1; members <= 33; ++members)
      for (const std::uint64_t bytes : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{997}})
        for (const Parameters& parameters : variants(*algorithm, bytes)) {
          CollectiveShape shape{.kind = algorithm->operation, .members = members, .bytes = bytes};
          shape.is_combining = is_combining(shape.kind);
          // Every root of a few; of many the first, the last and one between.
          for (shape.root = 0; shape.root < (is_rooted(shape.kind) ? members : 1); ++shape.root) {
            const bool is_looked_at = members <= 9 || shape.root == 0 || shape.root == members - 1 ||
                                      shape.root == members / 2 + 1;
            for (const bool is_commutative : {true, false}) {
              shape.is_commutative = is_commutative;
              if (!problem.empty() || !is_looked_at || (!is_commutative && !shape.is_combining)) continue;
              problem = problem_of(*algorithm, shape, parameters);
            }
          }
        }
  CHECK(problem == "");
}

TEST_CASE("collective: between two groups every member gets the defined result", "[simcore][collective]") {
  std::string problem;
  for (int kind = 1; kind <= static_cast<int>(Kind::reduce_scatter_block); ++kind)
    for (std::uint32_t members = 2; members <= 17; ++members) {
      CollectiveShape shape{.kind = static_cast<Kind>(kind), .members = members, .bytes = 997};
      if (shape.kind == Kind::scan || shape.kind == Kind::exscan) continue;
      shape.is_combining = is_combining(shape.kind);
      shape.is_commutative = false;
      for (shape.first_group = 1; shape.first_group < members; ++shape.first_group)
        for (shape.root = 0; shape.root < (is_rooted(shape.kind) ? members : 1); ++shape.root) {
          const std::string found = rehearse::testing::problem_of(*between_groups(shape), shape);
          if (problem.empty() && !found.empty())
            problem = std::string(name_of(shape.kind)) + " of " + std::to_string(shape.first_group) + " and " +
                      std::to_string(members - shape.first_group) + " from " + std::to_string(shape.root) + ": " +
                      found;
        }
    }
  CHECK(problem == "");
}

TEST_CASE("collective: two-level algorithms work for any placement of members", "[simcore][collective]") {
  std::string problem;
  for (const Algorithm& algorithm : two_level_algorithms())
    for (std::uint32_t members = 1; members <= 33; ++members)
      for (std::uint32_t variant = 0; variant < 3; ++variant) {
        const std::vector<std::uint32_t> hosts = some_hosts(members, variant);
        CollectiveShape shape{.kind = algorithm.operation, .members = members, .bytes = 100, .hosts = hosts};
        shape.is_combining = is_combining(shape.kind);
        for (shape.root = 0; shape.root < (is_rooted(shape.kind) ? members : 1); ++shape.root)
          if (problem.empty()) problem = problem_of(algorithm, shape, {});
      }
  CHECK(problem == "");
}

TEST_CASE("collective: a scan without an operator delivers the blocks of all earlier members",
          "[simcore][collective]") {
  for (const Algorithm& algorithm : scan_algorithms())
    for (std::uint32_t members = 1; members <= 33 && algorithm.operation == Kind::scan; ++members)
      CHECK(problem_of(algorithm, {.kind = Kind::scan, .members = members, .bytes = 10}, {}) == "");
}

TEST_CASE("collective: the interpreter finds the mistakes of a schedule", "[simcore][collective]") {
  const CollectiveShape sum{.kind = Kind::allreduce, .members = 2, .is_combining = true, .bytes = 8};
  const auto exchange = [](std::uint32_t combinations) {
    return planned(1, [=](std::uint32_t me, std::uint32_t, Round& plan) {
      plan.receives.push_back({1 - me, combinations});
      plan.sends.push_back({1 - me, whole(2), {}});
    });
  };
  CHECK(rehearse::testing::problem_of(*exchange(1), sum) == "");
  CHECK(rehearse::testing::problem_of(*exchange(0), sum) == "member 0 in round 1: does not end with what it should");
  CHECK(rehearse::testing::problem_of(*sequence({exchange(1), exchange(1)}), sum) ==
        "member 0 in round 1: combines a contribution twice");
  const SchedulePtr turned = planned(2, [](std::uint32_t me, std::uint32_t round, Round& plan) {
    if (round == 0) plan.sends.push_back({1 - me, whole(2), {}});
    if (round == 1) plan.receives.push_back({1 - me, 1});
  });
  CHECK(rehearse::testing::problem_of(*turned, sum) == "member 0 in round 0: never gets through");
  const SchedulePtr one_way = planned(1, [](std::uint32_t me, std::uint32_t, Round& plan) {
    if (me == 0) plan.sends.push_back({1, of_origin(1, 2), {}});
  });
  CHECK(rehearse::testing::problem_of(*one_way, {.kind = Kind::allgather, .members = 2}) ==
        "member 0 in round 0: sends of 1 for 0 what it does not have");
}

TEST_CASE("collective: every chain of replacements ends with an algorithm that always works", "[simcore][collective]") {
  for (const Algorithm* algorithm : all_algorithms()) {
    INFO(name_of(algorithm->operation) << " " << algorithm->name);
    CHECK(collective::text_of(algorithm->needs).empty() == algorithm->otherwise.empty());
    const Algorithm* last = algorithm;
    for (int steps = 0; !last->otherwise.empty() && steps < 10; ++steps) {
      last = find_algorithm(last->operation, last->otherwise);
      REQUIRE(last != nullptr);
    }
    CHECK(last->otherwise.empty());
  }
}

namespace {

// Each collective says in its hints which algorithm it wants.
class EveryAlgorithm final : public CollectiveSchedules {
 public:
  SchedulePtr find(const CollectiveShape& shape) override {
    const Algorithm& algorithm = working(*all_algorithms()[shape.total_bytes], shape);
    return algorithm.build(shape, algorithm.defaults);
  }
};

Flow flow_of(Kind kind) {
  switch (kind) {
    case Kind::broadcast:
    case Kind::scatter:
    case Kind::scatterv: return Flow::root_to_all;
    case Kind::reduce:
    case Kind::gather:
    case Kind::gatherv: return Flow::all_to_root;
    case Kind::scan:
    case Kind::exscan: return Flow::prefix;
    default: return Flow::all_to_all;
  }
}

void run_algorithm(std::uint32_t index, std::uint32_t me, std::uint32_t members, std::size_t bytes) {
  const Kind kind = all_algorithms()[index]->operation;
  std::vector<ActorId> everybody;
  for (std::uint32_t i = 0; i < members; ++i) everybody.push_back({i});
  Collective operation;
  operation.members = everybody;
  operation.name = name_of(kind);
  operation.flow = flow_of(kind);
  operation.root = is_rooted(kind) ? index % members : 0;
  operation.combining = is_combining(kind);
  operation.hints = {.kind = kind, .is_commutative = index % 2 == 0, .total_bytes = index};
  const bool brings = operation.flow != Flow::root_to_all || me == operation.root;
  std::vector<std::uint64_t> segments;
  if (has_segments(kind) && brings) segments.assign(members, bytes);
  if (kind == Kind::alltoallv && !segments.empty()) segments[me] += me;
  std::uint64_t size = brings && kind != Kind::barrier ? bytes : 0;
  for (std::uint64_t& segment : segments) size += &segment == &segments[0] ? segment - bytes : segment;
  const std::vector<std::byte> data(size);
  operation.contribution = data;
  operation.segment_bytes = segments;
  ask(operation);
}

}  // namespace

TEST_CASE("collective: every algorithm ends in a timed run", "[simcore][collective]") {
  for (std::uint32_t members = 1; members <= 33; ++members) {
    const Platform platform =
        std::move(make_platform("cluster:" + std::to_string(members > 3 ? members / 3 : members)).value());
    std::vector<std::function<void()>> bodies;
    for (std::uint32_t me = 0; me < members; ++me)
      bodies.push_back([=] {
        for (std::uint32_t i = 0; i < all_algorithms().size(); ++i)
          for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{333}})
            run_algorithm(i, me, members, bytes);
      });
    FiberProgram program(std::move(bodies));
    EveryAlgorithm schedules;
    EngineOptions options;
    options.collectives = &schedules;
    options.eager_bytes = members % 2 ? 100 : 0;
    Engine engine(program, platform, std::move(make_cost_model({.network = "raw"}, platform).value()), options);
    auto result = engine.run();
    REQUIRE(result);
    for (const ActorOutcome& actor : result.value().outcome.actors) {
      INFO(members << " members");
      REQUIRE(actor.state == ActorOutcome::State::ended);
    }
  }
}
