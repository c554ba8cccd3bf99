// SPDX-License-Identifier: MIT
//
// What must not matter to the dates of work that shares, on random workloads.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "simcore/sharing/fluid.hpp"

using namespace rehearse;
using namespace rehearse::sharing;

namespace {

struct Flow {
  double start = 0;
  double amount = 1;
  double weight = 1;
  double bound = unbounded;
  std::vector<Use> uses;
};

struct Workload {
  std::vector<double> capacities;
  std::vector<Flow> flows;
};

Workload random_workload(unsigned seed) {
  std::mt19937 random(seed);
  const auto real = [&](double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); };
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  Workload workload;
  for (std::uint32_t i = 0; i < 20; ++i) workload.capacities.push_back(real(1, 10));
  for (std::uint32_t i = 0; i < 150; ++i) {
    Flow flow;
    if (below(3)) flow.start = real(0, 5);
    flow.amount = real(0.5, 20);
    if (below(2)) flow.weight = real(0.5, 2);
    if (below(4) == 0) flow.bound = real(0.1, 5);
    const std::uint32_t up = below(10), down = 10 + below(10);
    flow.uses = {{up, 1}, {down, 1}, {up + 10, 0.05}};
    if (down != up + 10) flow.uses.push_back({down - 10, 0.05});
    workload.flows.push_back(flow);
  }
  return workload;
}

using Order = std::vector<std::size_t>;

Order in_order(std::size_t count) {
  Order order(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = i;
  return order;
}

// Starts the flows in the given order (delays put them at their dates). Returns the picoseconds of the
// ends, by flow; looks at what it passes.
template <typename Look>
std::vector<std::int64_t> ends_of(const Workload& workload, const Order& order, const Look& look) {
  Fluid fluid;
  for (const double capacity : workload.capacities) fluid.add_resource(capacity);
  std::vector<std::size_t> flow_of(workload.flows.size());
  for (const std::size_t i : order) {
    const Flow& flow = workload.flows[i];
    flow_of[fluid.start({Duration::from_seconds(flow.start), flow.amount, flow.weight, flow.bound, flow.uses}, {})] = i;
  }
  std::vector<std::int64_t> ends(workload.flows.size());
  std::vector<ActivityIndex> ended;
  while (fluid.is_busy()) {
    const TimePoint now = fluid.next_date();
    look(fluid);
    ended.clear();
    fluid.advance(now, ended);
    for (const ActivityIndex index : ended) ends[flow_of[index]] = now.picoseconds;
  }
  return ends;
}

std::vector<std::int64_t> ends_of(const Workload& workload) {
  return ends_of(workload, in_order(workload.flows.size()), [](Fluid&) {});
}

// Equal but for a picosecond or the rounding of the tenth digit.
bool are_close(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b, double scale = 1) {
  return std::ranges::equal(a, b, [&](std::int64_t x, std::int64_t y) {
    const double difference = std::fabs(static_cast<double>(x) * scale - static_cast<double>(y));
    return difference <= 2 * scale + 1e-11 * static_cast<double>(y);
  });
}

}  // namespace

TEST_CASE("fluid: no resource is ever above its capacity", "[simcore][sharing]") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Workload workload = random_workload(seed);
    double worst = 0;
    ends_of(workload, in_order(workload.flows.size()), [&](Fluid& fluid) {
      for (ResourceIndex i = 0; i < workload.capacities.size(); ++i)
        worst = std::max(worst, fluid.usage(i) / workload.capacities[i]);
    });
    CHECK(worst <= 1 + 1e-11);
  }
}

TEST_CASE("fluid: work that shares nothing does not change other dates by a picosecond", "[simcore][sharing]") {
  for (unsigned seed = 0; seed < 30; ++seed) {
    Workload workload = random_workload(seed);
    const std::vector<std::int64_t> alone = ends_of(workload);
    const Workload other = random_workload(seed + 1000);
    const auto shift = static_cast<ResourceIndex>(workload.capacities.size());
    const std::size_t count = workload.flows.size();
    workload.capacities.insert(workload.capacities.end(), other.capacities.begin(), other.capacities.end());
    for (Flow flow : other.flows) {
      for (Use& use : flow.uses) use.resource += shift;
      workload.flows.push_back(flow);
    }
    // Mixed, the order within each half kept.
    Order order;
    for (std::size_t i = 0; i < count; ++i) {
      if (i < other.flows.size()) order.push_back(count + i);
      order.push_back(i);
    }
    std::vector<std::int64_t> together = ends_of(workload, order, [](Fluid&) {});
    together.resize(count);
    CHECK(together == alone);
  }
}

TEST_CASE("fluid: the order of simultaneous starts does not matter", "[simcore][sharing]") {
  for (unsigned seed = 0; seed < 30; ++seed) {
    const Workload workload = random_workload(seed);
    Order order = in_order(workload.flows.size());
    std::shuffle(order.begin(), order.end(), std::mt19937(seed));
    CHECK(are_close(ends_of(workload, order, [](Fluid&) {}), ends_of(workload)));
  }
}

TEST_CASE("fluid: twice the amounts at dates twice as late end twice as late", "[simcore][sharing]") {
  for (unsigned seed = 0; seed < 30; ++seed) {
    Workload workload = random_workload(seed);
    const std::vector<std::int64_t> single = ends_of(workload);
    for (Flow& flow : workload.flows) {
      flow.start *= 2;
      flow.amount *= 2;
    }
    CHECK(are_close(single, ends_of(workload), 2));
  }
}

TEST_CASE("fluid: whether flows are one bundle or many does not matter", "[simcore][sharing]") {
  for (unsigned seed = 0; seed < 30; ++seed) {
    Workload workload = random_workload(seed);
    for (std::size_t i = 0; i < workload.flows.size(); ++i) {
      const double amount = workload.flows[i].amount;
      workload.flows[i] = workload.flows[i % 10];
      workload.flows[i].amount = amount;
    }
    const std::vector<std::int64_t> bundled = ends_of(workload);
    for (Flow& flow : workload.flows) {
      flow.uses.push_back({static_cast<ResourceIndex>(workload.capacities.size()), 1});
      workload.capacities.push_back(1000);
    }
    CHECK(are_close(bundled, ends_of(workload)));
  }
}

TEST_CASE("fluid: three flows that start at once on four links get their fair shares", "[simcore][sharing]") {
  // 5, 5, 5 and 2 MB/s; solved link by link the last one would carry 4 MB/s.
  const Workload workload{{5e6, 5e6, 5e6, 2e6},
                          {{0.002, 1e5, 0.002, 2e6, {{3, 1}}},
                           {0.004, 3e5, 0.004, 5e6, {{1, 1}, {0, 1}, {2, 1}}},
                           {0.004, 3e5, 0.004, 2e6, {{1, 1}, {2, 1}, {3, 1}}}}};
  const std::vector<std::int64_t> ends = ends_of(workload);
  CHECK(static_cast<double>(ends[0]) * 1e-12 == Approx(0.0760).epsilon(1e-9));
  CHECK(static_cast<double>(ends[1]) * 1e-12 == Approx(0.0732307692).epsilon(1e-9));
  CHECK(static_cast<double>(ends[2]) * 1e-12 == Approx(0.2020).epsilon(1e-9));
}

TEST_CASE("fluid: flows that only have the same bound do not affect each other", "[simcore][sharing]") {
  Workload workload{{}, {{0, 10, 1, 4, {}}}};
  const std::vector<std::int64_t> alone = ends_of(workload);
  for (int i = 0; i < 50; ++i) workload.flows.push_back({0.1 * i, 20, 0.3, 4, {}});
  CHECK(ends_of(workload)[0] == alone[0]);
}

TEST_CASE("fluid: work at an infinite rate takes no time", "[simcore][sharing]") {
  const Workload workload{
      {unbounded, 2},
      {{1, 8, 1, unbounded, {{0, 1}}}, {1, 8, 1, unbounded, {{0, 1}}}, {1, 8, 1, unbounded, {{0, 1}, {1, 1}}}}};
  const std::int64_t second = 1'000'000'000'000;
  CHECK(ends_of(workload) == std::vector<std::int64_t>{second, second, 5 * second});
}
