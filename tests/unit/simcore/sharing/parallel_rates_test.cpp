// SPDX-License-Identifier: MIT
//
// Rates of parallel tasks: systems with known answers, and the definition on random ones.
#include "simcore/sharing/parallel_rates.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "simcore/sharing/parallel_fluid.hpp"

namespace parallel_rates_test {

using namespace rehearse;
using namespace rehearse::sharing;

namespace {

using Rates = std::vector<double>;

ParallelSystem system_of(std::vector<double> capacities, std::vector<ParallelSystem::Task> tasks) {
  ParallelSystem system;
  for (const double capacity : capacities) system.resources.push_back({capacity, Division::shared});
  system.tasks = std::move(tasks);
  return system;
}

ParallelSystem::Task task(std::vector<ParallelUse> uses, double bound = unbounded) {
  return {1, bound, std::move(uses)};
}

void check(const ParallelSystem& system, const Rates& expected) {
  const ParallelRates found = bottleneck_max_fair_rates(system);
  CHECK(found.is_fair);
  CHECK(is_bottleneck_max_fair(system, found.rates, 1e-9));
  for (std::size_t i = 0; i < expected.size(); ++i) CHECK(found.rates[i] == Approx(expected[i]));
}

ParallelSystem random_system(unsigned seed) {
  std::mt19937 random(seed);
  const auto real = [&](double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); };
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  ParallelSystem system;
  const bool is_wild = below(3) == 0;
  for (std::uint32_t i = 1 + below(15); i > 0; --i)
    system.resources.push_back({below(20) ? real(1, 10) : below(2), below(12) ? Division::shared : Division::fatpipe});
  const auto resources = static_cast<std::uint32_t>(system.resources.size());
  for (std::uint32_t i = 1 + below(20); i > 0; --i) {
    ParallelSystem::Task& task = system.tasks.emplace_back();
    task.weight = below(2) ? 1 : real(0.2, 5);
    if (below(4) == 0) task.bound = real(0.01, 3);
    std::vector<bool> is_used(resources);
    for (std::uint32_t u = 1 + below(resources); u > 0; --u) {
      const std::uint32_t resource = below(resources);
      if (is_used[resource]) continue;
      is_used[resource] = true;
      const double greatest = is_wild ? std::exp(real(-7, 7)) : real(0.1, 3);
      task.uses.push_back({resource, greatest * (below(2) ? 1 : real(1, 4)), greatest});
    }
  }
  return system;
}

}  // namespace

TEST_CASE("parallel rates: small systems are bottleneck max fair", "[simcore][sharing]") {
  check(system_of({3}, {task({{0, 1, 1}}), task({{0, 10, 10}})}), {1.5, 0.15});
  check(system_of({1, 1}, {task({{0, 10, 10}, {1, 1, 1}}), task({{0, 1, 1}, {1, 10, 10}})}), {1.0 / 11, 1.0 / 11});
  // There can be several fair allocations.
  const ParallelSystem three =
      system_of({1, 1, 1}, {task({{0, 1, 1}, {1, 1, 1}, {2, 1, 1}}), task({{0, 0.5, 0.5}, {1, 1, 1}, {2, 0.75, 0.75}}),
                            task({{0, 1, 1}, {1, 0.5, 0.5}, {2, 0.75, 0.75}})});
  check(three, {1.0 / 3, 4.0 / 9, 4.0 / 9});
  CHECK(is_bottleneck_max_fair(three, {0.4, 0.4, 0.4}, 1e-9));
  CHECK_FALSE(is_bottleneck_max_fair(three, {0.35, 0.42, 0.42}, 1e-9));
  // Parts of 5 and 7: what is fair is the greatest part, what is full is the sum.
  check(system_of({5}, {task({{0, 12, 7}}), task({{0, 12, 7}})}), {5.0 / 24, 5.0 / 24});
  check(system_of({5}, {task({{0, 12, 7}}), task({{0, 13, 7}})}), {5.0 / 25, 5.0 / 25});
  check(system_of({1.5}, {task({{0, 1, 1}}, 0.1), task({{0, 1, 1}}), task({{0, 1, 1}}), task({{0, 1, 1}})}),
        {0.1, 1.4 / 3, 1.4 / 3, 1.4 / 3});
  check(system_of({8e7}, {task({{0, 3.2e8, 3.2e8}})}), {8e7 / 3.2e8});
}

TEST_CASE("parallel rates: random systems are bottleneck max fair", "[simcore][sharing]") {
  for (unsigned seed = 0; seed < 4000; ++seed) {
    const ParallelSystem system = random_system(seed);
    const ParallelRates found = bottleneck_max_fair_rates(system);
    if (found.is_fair && is_bottleneck_max_fair(system, found.rates, 1e-8)) continue;
    FAIL_CHECK("seed " << seed);
  }
}

TEST_CASE("parallel rates: without time to find fair rates, they are feasible and no task alone could be faster",
          "[simcore][sharing]") {
  for (unsigned seed = 0; seed < 300; ++seed) {
    const ParallelSystem system = random_system(seed);
    const ParallelRates found = bottleneck_max_fair_rates(system, 0);
    CHECK_FALSE(found.is_fair);
    std::vector<double> loads(system.resources.size());
    for (std::size_t t = 0; t < found.rates.size(); ++t)
      for (const ParallelUse& use : system.tasks[t].uses) {
        const bool is_shared = system.resources[use.resource].division == Division::shared;
        double& load = loads[use.resource];
        const double used = use.total * found.rates[t];
        load = is_shared ? load + used : std::max(load, use.greatest * found.rates[t]);
      }
    INFO("seed " << seed);
    for (std::size_t r = 0; r < loads.size(); ++r) CHECK(loads[r] <= system.resources[r].capacity * (1 + 1e-9));
    for (std::size_t t = 0; t < found.rates.size(); ++t) {
      const ParallelSystem::Task& task = system.tasks[t];
      bool is_held = found.rates[t] >= task.bound * (1 - 1e-9);
      for (const ParallelUse& use : task.uses)
        is_held |= loads[use.resource] >= system.resources[use.resource].capacity * (1 - 1e-9);
      CHECK(is_held);
    }
  }
}

TEST_CASE("parallel rates: fair bottleneck divides the remaining capacity in rounds", "[simcore][sharing]") {
  const auto rates = [](const ParallelSystem& system) { return fair_bottleneck_rates(system).rates; };
  CHECK(rates(system_of({3}, {task({{0, 1, 1}}), task({{0, 10, 10}})})) == Rates{1.5, 0.15});
  CHECK(rates(system_of({10}, {task({{0, 1, 1}}, 2), task({{0, 1, 1}})})) == Rates{2, 8});
  // The first gets 5 of both; what the second could have had of the narrow one is divided again.
  const Rates three = rates(system_of({10, 6}, {task({{0, 1, 1}, {1, 1, 1}}), task({{0, 1, 1}}), task({{1, 2, 2}})}));
  CHECK(three[0] == Approx(3));
  CHECK(three[1] == Approx(7));
  CHECK(three[2] == Approx(1.5));
  ParallelSystem pipe = system_of({4}, {task({{0, 1, 1}}), task({{0, 2, 2}})});
  pipe.resources[0].division = Division::fatpipe;
  CHECK(rates(pipe) == Rates{4, 2});
}

TEST_CASE("parallel tasks: dates follow the rates, independent parts do not matter", "[simcore][sharing]") {
  const auto at = [](double seconds) { return TimePoint{} + Duration::from_seconds(seconds); };
  ParallelFluid fluid(fair_bottleneck_rates);
  const auto a = fluid.add_resource(10), b = fluid.add_resource(10), c = fluid.add_resource(1);
  const std::vector<ParallelUse> both{{a, 10, 10}, {b, 5, 5}}, one{{b, 10, 10}}, far{{c, 1, 1}};
  const auto first = fluid.start({Duration::from_seconds(0.5), 1, 1, unbounded, both}, {});
  const auto second = fluid.start({{}, 1, 1, unbounded, one}, {});
  const auto third = fluid.start({{}, 8, 1, unbounded, far}, {});
  CHECK(fluid.rate(first) == 0);
  CHECK(fluid.rate(second) == 1);
  std::vector<ParallelFluid::TaskIndex> ended;
  fluid.advance(at(0.5), ended);
  CHECK(fluid.rate(first) == Approx(1));
  CHECK(fluid.rate(second) == Approx(0.5));
  CHECK(fluid.usage(b) == Approx(10));
  CHECK(fluid.limit(second) == b);
  fluid.suspend(second, at(1));
  CHECK(fluid.remaining(second, at(1)) == Approx(0.25));
  CHECK(fluid.next_date() == at(1.5));
  fluid.advance(at(1.5), ended);
  REQUIRE(ended.size() == 1);
  fluid.set_capacity(b, 5, at(2));
  fluid.resume(second, at(2));
  CHECK(fluid.next_date() == at(2.5));
  fluid.advance(at(2.5), ended);
  fluid.cancel(third, at(3));
  CHECK_FALSE(fluid.is_busy());
}

TEST_CASE("parallel tasks: either rule may be followed", "[simcore][sharing]") {
  // A task of two parts of 1 against one part of 2 on a capacity of 4.
  const std::vector<ParallelUse> parts{{0, 2, 1}}, whole{{0, 2, 2}};
  const auto rates = [&](ParallelFluid::Rule rule) {
    ParallelFluid fluid(rule);
    fluid.add_resource(4);
    const auto first = fluid.start({{}, 1, 1, unbounded, parts}, {});
    const auto second = fluid.start({{}, 1, 1, unbounded, whole}, {});
    return Rates{fluid.rate(first), fluid.rate(second)};
  };
  CHECK(rates(fair_bottleneck_rates) == Rates{1, 1});
  const Rates fair = rates(bottleneck_max_fair_rates);
  CHECK(fair[0] == Approx(4.0 / 3));
  CHECK(fair[1] == Approx(2.0 / 3));
}

}  // namespace parallel_rates_test
