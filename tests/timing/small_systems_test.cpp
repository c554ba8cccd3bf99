// SPDX-License-Identifier: MIT
//
// Rates of two or three activities on one or two resources, as fair shares of small systems.
#include "simcore/sharing/fluid.hpp"
#include "tests/timing/scene.hpp"

using namespace rehearse::testing;
using rehearse::sharing::Fluid;
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
