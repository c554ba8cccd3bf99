// SPDX-License-Identifier: MIT
//
// Fair sharing: small systems with known answers, and properties of random ones.
#include "simcore/sharing/fair_sharing.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

using namespace rehearse::sharing;

namespace {

struct TestFlow {
  double weight;
  double bound;
  std::vector<Use> uses;
};

struct TestSystem {
  std::vector<double> capacities;
  std::vector<TestFlow> flows;
};

std::vector<double> rates_of(const TestSystem& system) {
  FairSharing sharing;
  for (const double capacity : system.capacities) sharing.add_resource(capacity);
  std::vector<BundleIndex> indices;
  for (const TestFlow& flow : system.flows) indices.push_back(sharing.add_bundle(flow.weight, flow.bound, flow.uses));
  sharing.solve();
  std::vector<double> rates;
  for (const BundleIndex index : indices) rates.push_back(sharing.rate(index));
  return rates;
}

// The definition, slowly: bisect the highest level at which nothing overflows, fix who cannot go
// higher, again.
std::vector<double> brute_force(const TestSystem& system) {
  const std::size_t count = system.flows.size();
  std::vector<double> rates(count, -1);
  const auto rate_at = [&](std::size_t f, double level) {
    return rates[f] >= 0 ? rates[f] : std::min(level / system.flows[f].weight, system.flows[f].bound);
  };
  const auto usage_at = [&](std::size_t r, double level) {
    double usage = 0;
    for (std::size_t f = 0; f < count; ++f)
      for (const Use& use : system.flows[f].uses)
        if (use.resource == r) usage += use.coefficient * rate_at(f, level);
    return usage;
  };
  const auto fits = [&](double level) {
    for (std::size_t r = 0; r < system.capacities.size(); ++r)
      if (usage_at(r, level) > system.capacities[r] * (1 + 1e-13)) return false;
    return true;
  };
  while (std::any_of(rates.begin(), rates.end(), [](double rate) { return rate < 0; })) {
    double low = 0, high = 1e9;
    for (int i = 0; i < 200; ++i) (fits((low + high) / 2) ? low : high) = (low + high) / 2;
    for (std::size_t f = 0; f < count; ++f) {
      if (rates[f] >= 0) continue;
      const TestFlow& flow = system.flows[f];
      bool is_stuck = low / flow.weight >= flow.bound;
      for (const Use& use : flow.uses)
        is_stuck |= usage_at(use.resource, low * (1 + 1e-9)) > system.capacities[use.resource] * (1 + 1e-12);
      if (is_stuck) rates[f] = rate_at(f, low);
    }
  }
  return rates;
}

TestSystem random_system(unsigned seed) {
  std::mt19937 random(seed);
  const auto real = [&](double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); };
  const auto whole = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  TestSystem system;
  for (int i = whole(1, 6); i > 0; --i) system.capacities.push_back(real(1, 10));
  for (int i = whole(1, 9); i > 0; --i) {
    TestFlow flow{whole(0, 1) ? 1.0 : real(0.1, 5), whole(0, 2) ? unbounded : real(0.05, 4), {}};
    std::vector<ResourceIndex> all(system.capacities.size());
    for (std::size_t r = 0; r < all.size(); ++r) all[r] = static_cast<ResourceIndex>(r);
    std::shuffle(all.begin(), all.end(), random);
    const int uses = whole(1, static_cast<int>(std::min<std::size_t>(all.size(), 4)));
    for (int u = 0; u < uses; ++u) flow.uses.push_back({all[static_cast<std::size_t>(u)], whole(0, 2) ? 1.0 : 0.05});
    system.flows.push_back(std::move(flow));
  }
  return system;
}

}  // namespace

TEST_CASE("fair sharing: small systems have their known rates", "[simcore][sharing]") {
  const auto rates = [](std::vector<double> capacities, std::vector<TestFlow> flows) {
    return rates_of({std::move(capacities), std::move(flows)});
  };
  using Rates = std::vector<double>;
  CHECK(rates({3}, {{1, unbounded, {{0, 1}}}, {2, unbounded, {{0, 1}}}}) == Rates{2, 1});
  CHECK(rates({3}, {{1, unbounded, {{0, 1}}}, {1, unbounded, {{0, 2}}}}) == Rates{1, 1});
  CHECK(rates({20}, {{1, unbounded, {{0, 1}}}, {2, unbounded, {{0, 2}}}}) == Rates{10, 5});
  CHECK(rates({10}, {{1, 2, {{0, 1}}}, {1, unbounded, {{0, 1}}}}) == Rates{2, 8});
  CHECK(rates({}, {{1, 7, {}}}) == Rates{7});
  CHECK(
      rates({20, 60}, {{1, unbounded, {{0, 1}, {1, 1}}}, {2, unbounded, {{0, 2}, {1, 2}}}, {1, unbounded, {{1, 1}}}}) ==
      Rates{10, 5, 40});
  // Two links of 20 and 60: the long flow and the first share the narrow one.
  CHECK(rates({20, 60}, {{1, unbounded, {{0, 1}}}, {1, unbounded, {{0, 1}, {1, 1}}}, {1, unbounded, {{1, 1}}}}) ==
        Rates{10, 10, 50});
}

TEST_CASE("fair sharing: random systems have the rates of the definition", "[simcore][sharing]") {
  for (unsigned seed = 0; seed < 300; ++seed) {
    const TestSystem system = random_system(seed);
    const std::vector<double> rates = rates_of(system);
    const std::vector<double> expected = brute_force(system);
    INFO("seed " << seed);
    for (std::size_t f = 0; f < rates.size(); ++f) CHECK(rates[f] == Approx(expected[f]).epsilon(1e-7));
  }
}

TEST_CASE("fair sharing: no resource overflows, and every flow has a limit", "[simcore][sharing]") {
  for (unsigned seed = 1000; seed < 2000; ++seed) {
    const TestSystem system = random_system(seed);
    const std::vector<double> rates = rates_of(system);
    std::vector<double> usage(system.capacities.size());
    std::vector<double> highest(system.capacities.size());
    for (std::size_t f = 0; f < rates.size(); ++f)
      for (const Use& use : system.flows[f].uses) {
        usage[use.resource] += use.coefficient * rates[f];
        highest[use.resource] = std::max(highest[use.resource], rates[f] * system.flows[f].weight);
      }
    INFO("seed " << seed);
    for (std::size_t r = 0; r < usage.size(); ++r) CHECK(usage[r] <= system.capacities[r] * (1 + 1e-12));
    for (std::size_t f = 0; f < rates.size(); ++f) {
      const TestFlow& flow = system.flows[f];
      bool is_held = rates[f] >= flow.bound;
      for (const Use& use : flow.uses)
        is_held |= usage[use.resource] >= system.capacities[use.resource] * (1 - 1e-9) &&
                   rates[f] * flow.weight >= highest[use.resource] * (1 - 1e-9);
      CHECK(is_held);
    }
  }
}

TEST_CASE("fair sharing: an unrelated flow changes nothing, not even the last bit", "[simcore][sharing]") {
  for (unsigned seed = 0; seed < 100; ++seed) {
    TestSystem system = random_system(seed);
    const std::vector<double> before = rates_of(system);
    system.capacities.push_back(1.1);
    const auto other = static_cast<ResourceIndex>(system.capacities.size() - 1);
    system.flows.push_back({0.7, unbounded, {{other, 1}}});
    std::vector<double> after = rates_of(system);
    after.pop_back();
    CHECK(after == before);
  }
}

TEST_CASE("fair sharing: added and removed flows give the rates of the remaining flows", "[simcore][sharing]") {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const TestSystem system = random_system(seed);
    FairSharing sharing;
    for (const double capacity : system.capacities) sharing.add_resource(capacity);
    std::vector<BundleIndex> indices;
    for (const TestFlow& flow : system.flows) {
      indices.push_back(sharing.add_bundle(flow.weight, flow.bound, flow.uses));
      if (seed % 2) sharing.solve();
    }
    sharing.solve();
    TestSystem rest{system.capacities, {}};
    for (std::size_t f = 0; f < indices.size(); ++f) {
      if (f % 2 == 0) sharing.set_count(indices[f], 0);
      else rest.flows.push_back(system.flows[f]);
    }
    sharing.solve();
    const std::vector<double> expected = rates_of(rest);
    INFO("seed " << seed);
    for (std::size_t i = 0; i < expected.size(); ++i)
      CHECK(sharing.rate(indices[2 * i + 1]) == Approx(expected[i]).epsilon(1e-12));
  }
}
