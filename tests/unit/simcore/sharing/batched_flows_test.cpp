// SPDX-License-Identifier: MIT
//
// Flows that begin to share at one date have the dates of flows that share step by step.
#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include "simcore/sharing/fluid.hpp"

namespace batched_flows_test {
namespace {

using namespace rehearse;
using namespace rehearse::sharing;

constexpr ResourceIndex hosts = 8;

// Links to and from hosts. With a limit on its flows, a link has no batches.
void add_links(Fluid& fluid, bool is_limited) {
  for (ResourceIndex i = 0; i < 2 * hosts; ++i) {
    fluid.add_resource(100 + i % 3, i == 5 ? Division::fatpipe : Division::shared);
    if (is_limited) fluid.set_concurrency_limit(i, 1'000'000, 1e-9);
  }
}

// From one host to another, with acknowledgements on the way back.
std::vector<Use> way(ResourceIndex from, ResourceIndex to) {
  return {{from, 1}, {hosts + to, 1}, {to, 0.05}, {hosts + from, 0.05}};
}

struct SharingFlow {
  ResourceIndex from = 0, to = 0;
  double amount = 1, weight = 1, bound = unbounded;
  std::int64_t begin = 0;  // ps
};

// The dates of the ends, by flow.
std::vector<std::int64_t> ends_of(const std::vector<SharingFlow>& flows, bool is_limited) {
  Fluid fluid;
  add_links(fluid, is_limited);
  std::map<ActivityIndex, std::size_t> running;
  std::vector<std::int64_t> ends(flows.size());
  std::vector<ActivityIndex> ended;
  std::size_t next = 0;
  while (next < flows.size() || fluid.is_busy()) {
    const TimePoint event = fluid.next_date();
    const TimePoint start = next < flows.size() ? TimePoint{flows[next].begin} : never;
    const TimePoint now = std::min(event, start);
    ended.clear();
    fluid.advance(now, ended);
    for (const ActivityIndex index : ended) ends[running.at(index)] = now.picoseconds;
    for (; next < flows.size() && flows[next].begin == now.picoseconds; ++next) {
      const SharingFlow& flow = flows[next];
      running[fluid.start({Duration{1000}, flow.amount, flow.weight, flow.bound, way(flow.from, flow.to)}, now)] = next;
    }
  }
  return ends;
}

void compare(const std::vector<SharingFlow>& flows) {
  const auto batched = ends_of(flows, false), one_by_one = ends_of(flows, true);
  for (std::size_t i = 0; i < flows.size(); ++i) CHECK(std::abs(batched[i] - one_by_one[i]) <= 100);  // ps
}

TEST_CASE("batches: a ring that repeats has equal ends in each round", "[sharing]") {
  std::vector<SharingFlow> flows;
  for (std::int64_t round = 0; round < 5; ++round)
    for (ResourceIndex i = 0; i < hosts; ++i)
      flows.push_back({i, (i + 1) % hosts, 50, 1, unbounded, round * 2'000'000'000'000});
  const auto ends = ends_of(flows, false);
  for (std::size_t i = 0; i < flows.size(); ++i)
    CHECK(ends[i] - flows[i].begin == ends[i % hosts] - flows[i % hosts].begin);
  compare(flows);
}

TEST_CASE("batches: members that end early, weights, bounds and late flows change the rates", "[sharing]") {
  std::mt19937 random(11);
  for (int round = 0; round < 300; ++round) {
    std::vector<SharingFlow> flows;
    std::int64_t begin = 0;
    const bool is_regular = random() % 2 == 0;
    for (int batch = 0; batch < 6; ++batch) {
      for (std::uint32_t i = random() % 10 + 1; i > 0; --i) {
        const auto host = [&] { return static_cast<ResourceIndex>(random() % hosts); };
        SharingFlow flow{host(), host(), 50, 1, unbounded, begin};
        if (!is_regular) flow.amount = 1 + static_cast<double>(random() % 100);
        if (random() % 4 == 0) flow.weight = 1 + static_cast<double>(random() % 3);
        if (random() % 4 == 0) flow.bound = 10 + static_cast<double>(random() % 40);
        flows.push_back(flow);
      }
      begin += random() % 2 == 0 ? 100'000'000'000 : 4'000'000'000'000;
    }
    compare(flows);
  }
}

TEST_CASE("batches: a set that comes again on other resources has their limits and capacities", "[sharing]") {
  Fluid fluid;
  for (const double capacity : {100., 100., 100., 100., 50., 100.}) fluid.add_resource(capacity);
  const auto rate_of_pair = [&](ResourceIndex shared, ResourceIndex one, ResourceIndex other, std::int64_t second) {
    const TimePoint now{second * 1'000'000'000'000};
    const std::vector<Use> first_uses{{shared, 1}, {one, 1}}, second_uses{{shared, 1}, {other, 1}};
    const ActivityIndex first = fluid.start({Duration{}, 50, 1, unbounded, first_uses}, now);
    fluid.start({Duration{}, 50, 1, unbounded, second_uses}, now);
    CHECK(fluid.limit(first).resource == shared);
    const double rate = fluid.rate(first);
    std::vector<ActivityIndex> ended;
    while (fluid.is_busy()) fluid.advance(fluid.next_date(), ended);
    return rate;
  };
  CHECK(rate_of_pair(0, 1, 2, 0) == 50);
  CHECK(rate_of_pair(3, 5, 1, 10) == 50);  // the same set on other resources
  CHECK(rate_of_pair(4, 5, 1, 20) == 25);  // less capacity: another set
  fluid.set_capacity(3, 80, TimePoint{30'000'000'000'000});
  CHECK(rate_of_pair(3, 5, 1, 40) == 40);
  CHECK(rate_of_pair(0, 1, 2, 50) == 50);
}

}  // namespace
}  // namespace batched_flows_test
