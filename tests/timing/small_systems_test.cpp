// SPDX-License-Identifier: MIT
//
// Rates of two or three activities on one or two resources, as fair shares of small systems.
#include "simcore/sharing/fluid.hpp"
#include "simcore/sharing/parallel_rates.hpp"
#include "tests/timing/scene.hpp"

using namespace rehearse::testing;
using rehearse::sharing::Fluid;
using rehearse::sharing::ParallelSystem;
using rehearse::sharing::Use;

namespace {

struct Activity {
  double weight;
  std::vector<Use> uses;
  double bound = rehearse::sharing::unbounded;
};

std::vector<double> rates(const std::vector<double>& capacities, const std::vector<Activity>& activities) {
  Fluid fluid;
  for (const double capacity : capacities) fluid.add_resource(capacity);
  std::vector<rehearse::sharing::ActivityIndex> started;
  for (const Activity& one : activities) {
    started.push_back(
        fluid.start({.delay = {}, .amount = 1000, .weight = one.weight, .bound = one.bound, .uses = one.uses}, {}));
  }
  std::vector<double> rates;
  for (const auto activity : started) rates.push_back(fluid.rate(activity));
  return rates;
}

}  // namespace

TEST_CASE("timing 125: a resource of 3 gives 2 and 1 to weights 1 and 2, and 1 and 1 to coefficients 1 and 2",
          "[timing]") {
  CHECK_THAT(rates({3}, {{1, {{0, 1}}}, {2, {{0, 1}}}}), AllPrinted({2, 1}));
  CHECK_THAT(rates({3}, {{1, {{0, 1}}}, {1, {{0, 2}}}}), AllPrinted({1, 1}));
  CHECK_THAT(rates({20}, {{1, {{0, 1}}}, {2, {{0, 2}}}}), AllPrinted({10, 5}));
}

TEST_CASE("timing 125: resources of 20 and 60 give 10, 5 and 40", "[timing]") {
  CHECK_THAT(rates({20, 60}, {{1, {{0, 1}, {1, 2}}}, {2, {{0, 2}}}, {1, {{1, 1}}}}), AllPrinted({10, 5, 40}));
}

TEST_CASE("timing 125: a bound of 0.1 leaves 0.8 of a resource of 1 to the other activity", "[timing]") {
  CHECK_THAT(rates({1}, {{1, {{0, 2}}, 0.1}, {1, {{0, 1}}}}), AllPrinted({0.1, 0.8}));
  CHECK_THAT(rates({1}, {{1, {{0, 1}}, 1}, {1, {{0, 1}}}}), AllPrinted({0.5, 0.5}));
}

namespace {

// The same with bottleneck max fairness; a part is what one of several flows of a task takes.
std::vector<double> bottleneck_rates(const std::vector<double>& capacities,
                                     const std::vector<ParallelSystem::Task>& tasks) {
  ParallelSystem system;
  for (const double capacity : capacities) system.resources.push_back({capacity});
  system.tasks = tasks;
  const auto found = rehearse::sharing::bottleneck_max_fair_rates(system);
  CHECK(found.is_fair);
  return found.rates;
}

constexpr double unbounded = rehearse::sharing::unbounded;

}  // namespace

TEST_CASE("timing 125: bottleneck max fairness on one resource: 1.5 and 0.15, 2/3 and 1/3, 0.1 and 0.8", "[timing]") {
  CHECK_THAT(bottleneck_rates({3}, {{1, unbounded, {{0, 1, 1}}}, {1, unbounded, {{0, 10, 10}}}}),
             AllPrinted({1.5, 0.15}));
  CHECK_THAT(bottleneck_rates({1}, {{1, unbounded, {{0, 1, 1}}}, {2, unbounded, {{0, 1, 1}}}}),
             AllPrinted({0.666667, 0.333333}));
  CHECK_THAT(bottleneck_rates({1}, {{1, 0.1, {{0, 2, 2}}}, {1, unbounded, {{0, 1, 1}}}}), AllPrinted({0.1, 0.8}));
}

TEST_CASE("timing 125: bottleneck max fairness on two and three resources: 1/11 twice; 1/3, 4/9 and 4/9", "[timing]") {
  CHECK_THAT(bottleneck_rates({1, 1},
                              {{1, unbounded, {{0, 1, 1}, {1, 10, 10}}}, {1, unbounded, {{0, 10, 10}, {1, 1, 1}}}}),
             AllPrinted({0.090909, 0.090909}));
  CHECK_THAT(bottleneck_rates({1, 1, 1}, {{1, unbounded, {{0, 1, 1}, {1, 1, 1}, {2, 1, 1}}},
                                          {1, unbounded, {{0, 1, 1}, {1, 0.5, 0.5}, {2, 0.75, 0.75}}},
                                          {1, unbounded, {{0, 0.5, 0.5}, {1, 1, 1}, {2, 0.75, 0.75}}}}),
             AllPrinted({0.333333, 0.444444, 0.444444}));
}

TEST_CASE("timing 125: tasks with several flows over a resource: 5/24, 5/25 and 1/3 each", "[timing]") {
  CHECK_THAT(bottleneck_rates({5}, {{1, unbounded, {{0, 12, 7}}}, {1, unbounded, {{0, 12, 7}}}}),
             AllPrinted({0.208333, 0.208333}));
  CHECK_THAT(bottleneck_rates({5}, {{1, unbounded, {{0, 15, 10}}}, {1, unbounded, {{0, 10, 10}}}}),
             AllPrinted({0.2, 0.2}));
  CHECK_THAT(bottleneck_rates({1, 1},
                              {{1, unbounded, {{0, 2, 1}, {1, 1, 0.5}}}, {1, unbounded, {{0, 1, 1}, {1, 1.5, 1.5}}}}),
             AllPrinted({0.333333, 0.333333}));
}
