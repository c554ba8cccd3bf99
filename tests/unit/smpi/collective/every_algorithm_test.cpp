// SPDX-License-Identifier: MIT
//
// All collectives in all their forms against their definitions, for 1 to 33 ranks: in simulated time with each
// algorithm in turn, and explored.
#include <catch2/catch.hpp>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "mc/explore.hpp"
#include "simcore/collective/algorithm.hpp"
#include "simcore/engine.hpp"
#include "simcore/fiber_program.hpp"
#include "smpi/abi/calls.hpp"
#include "tests/support/collective_battery.hpp"

using namespace rehearse;
using namespace rehearse::tests;
using Form = smpi::Completing::Form;

namespace {

// Takes the algorithms of each operation in turn, and small segments every other time.
class InTurn final : public CollectiveSchedules {
 public:
  explicit InTurn(std::uint32_t seed) : seed_(seed) {
    for (const collective::Algorithm* algorithm : collective::all_algorithms())
      algorithms_[algorithm->operation].push_back(algorithm);
  }

  collective::SchedulePtr find(const CollectiveShape& shape) override {
    const auto& candidates = algorithms_.at(shape.kind);
    const std::uint32_t call = seed_ + calls_[shape.kind]++;
    const collective::Algorithm& algorithm = collective::working(*candidates[call % candidates.size()], shape);
    collective::Parameters parameters = algorithm.defaults;
    if (algorithm.has_segment && call % 2 == 1) parameters.segment = shape.bytes / 3 + 1;
    names_.insert(std::string(collective::name_of(shape.kind)) + "=" + std::string(algorithm.name));
    return algorithm.build(shape, parameters);
  }

  const std::set<std::string>& names() const { return names_; }

 private:
  std::uint32_t seed_;
  std::map<CollectiveKind, std::vector<const collective::Algorithm*>> algorithms_;
  std::map<CollectiveKind, std::uint32_t> calls_;
  std::set<std::string> names_;
};

std::unique_ptr<FiberProgram> make_program(std::uint32_t ranks, const BatteryOptions& options, std::string& problem) {
  const auto body = [options, &problem] {
    smpi::calls::Init(nullptr, nullptr);
    const std::string found = run_battery(options);
    if (!found.empty()) problem = found;
    smpi::calls::Finalize();
  };
  return std::make_unique<FiberProgram>(std::vector<std::function<void()>>(ranks, body));
}

BatteryOptions options_for(std::uint32_t seed, std::uint32_t ranks) {
  constexpr int counts[] = {0, 1, 5, 300};
  constexpr Form all_forms[] = {Form::blocking, Form::nonblocking, Form::persistent};
  return {.form = all_forms[seed % 3],
          .count = counts[(seed / 3 + ranks) % 4],
          .root = static_cast<int>(seed * 7 % ranks),
          .in_place = (seed + ranks) % 2 == 1};
}

// What was wrong; and adds the algorithms that were used.
std::string run_in_time(std::uint32_t ranks, std::uint32_t seed, std::set<std::string>& names) {
  std::string problem;
  const auto program = make_program(ranks, options_for(seed, ranks), problem);
  const Platform platform = std::move(make_platform("cluster:" + std::to_string(ranks / (1 + seed % 4) + 1)).value());
  InTurn schedules(seed);
  EngineOptions options;
  options.collectives = &schedules;
  options.eager_bytes = seed % 2 ? 100 : 65536 * (seed / 2 % 2);
  Engine engine(*program, platform, std::move(make_cost_model({.network = "raw"}, platform).value()), options);
  auto run = engine.run();
  if (!run) return run.error().text;
  for (const ActorOutcome& actor : run.value().outcome.actors)
    if (actor.state != ActorOutcome::State::ended) return "a rank of " + std::to_string(ranks) + " does not end";
  names.insert(schedules.names().begin(), schedules.names().end());
  return problem;
}

}  // namespace

TEST_CASE("collectives: in simulated time every algorithm gives the defined result, in every form",
          "[smpi][collective]") {
  std::set<std::string> names;
  for (std::uint32_t ranks = 1; ranks <= 33; ++ranks)
    for (std::uint32_t seed = ranks; seed < ranks + (ranks == 2 ? 24 : 3); ++seed)  // some are for two only
      REQUIRE(run_in_time(ranks, seed, names) == "");
  CHECK(names.size() == collective::all_algorithms().size());
}

TEST_CASE("collectives: in simulated time algorithms give the defined results, in many variations",
          "[.long][collective]") {
  std::set<std::string> names;
  for (std::uint32_t ranks = 1; ranks <= 33; ++ranks)
    for (std::uint32_t seed = 0; seed < 120; ++seed) REQUIRE(run_in_time(ranks, seed, names) == "");
}

TEST_CASE("collectives: an exploration finds one execution, which gives the defined results", "[smpi][collective]") {
  for (std::uint32_t ranks = 1; ranks <= 33; ++ranks) {
    std::string problem;
    const auto program = make_program(ranks, options_for(ranks, ranks), problem);
    const mc::Verdict verdict =
        mc::explore(*program, {}, [](const auto&, const auto&) { return std::vector<Finding>(); });
    INFO(ranks << " ranks");
    CHECK(problem == "");
    CHECK(verdict.executions == 1);
    CHECK(verdict.exhaustive);
  }
}
