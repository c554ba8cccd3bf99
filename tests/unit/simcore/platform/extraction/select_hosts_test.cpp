// SPDX-License-Identifier: MIT
//
// Selected hosts: numbers, latencies between them, moments of their speeds.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "simcore/platform_extraction.hpp"
#include "simcore/platform_generator.hpp"
#include "simcore/platform_text.hpp"

using namespace rehearse;

namespace {

const Platform& varied() {
  static const Platform platform = [] {
    GeneratorOptions options;
    options.kind = GeneratorOptions::Kind::waxman;
    options.nodes = 150;
    options.seed = 4;
    options.speed = AttributeDistribution(AttributeDistribution::Lognormal{2e9, 0.5});
    auto made = platform_from_text("varied", generate_platform(options).value());
    return std::move(made.value());
  }();
  return platform;
}

std::vector<HostId> selected(const HostSelection& selection) {
  auto hosts = select_hosts(varied(), selection);
  if (!hosts) FAIL(hosts.error().text);
  CHECK(std::ranges::is_sorted(hosts.value()));
  CHECK(std::ranges::adjacent_find(hosts.value()) == hosts.value().end());
  return hosts.value();
}

std::string refusal(const HostSelection& selection) {
  const auto hosts = select_hosts(varied(), selection);
  return hosts ? "none" : hosts.error().text;
}

}  // namespace

TEST_CASE("selection: a number of hosts is drawn, each with the same probability", "[simcore][platform]") {
  std::vector<int> seen(150, 0);
  constexpr int seeds = 2000;
  HostSelection selection;
  selection.hosts = 30;
  for (selection.seed = 0; selection.seed < seeds; ++selection.seed) {
    const auto hosts = select_hosts(varied(), selection).value();
    REQUIRE(hosts.size() == 30);
    for (const HostId host : hosts) ++seen[host.value];
  }
  // Each count is binomial with mean 400 and deviation 17.9; five deviations.
  CHECK(std::ranges::min(seen) > 400 - 90);
  CHECK(std::ranges::max(seen) < 400 + 90);
  selection.seed = 7;
  CHECK(selected(selection) == selected(selection));
}

TEST_CASE("selection: all hosts lie within the latency diameter", "[simcore][platform]") {
  HostSelection selection;
  selection.diameter_seconds = 25e-6;
  const std::vector<HostId> all = selected(selection);
  CHECK(all.size() > 5);
  CHECK(all.size() < 150);
  CHECK(moments_of(varied(), all).diameter_seconds.value() <= 25e-6);
  selection.hosts = 5;
  const std::vector<HostId> five = selected(selection);
  CHECK(five.size() == 5);
  CHECK(moments_of(varied(), five).diameter_seconds.value() <= 25e-6);
  selection.hosts = 149;
  CHECK_THAT(refusal(selection), Catch::Contains("no 149 hosts within 2.5e-05 s"));
  selection = {};
  selection.diameter_seconds = 1;
  CHECK(selected(selection).size() == 150);
}

TEST_CASE("selection: moments of speed come near the wanted ones", "[simcore][platform]") {
  HostSelection selection;
  selection.hosts = 20;
  selection.mean_speed = 2.5e9;
  selection.speed_deviation = 0.4e9;
  const HostMoments both = moments_of(varied(), selected(selection));
  CHECK(both.mean_speed == Approx(2.5e9).epsilon(1e-3));
  CHECK(both.speed_deviation == Approx(0.4e9).epsilon(1e-3));
  selection.speed_deviation.reset();
  CHECK(moments_of(varied(), selected(selection)).mean_speed == Approx(2.5e9).epsilon(1e-5));
  // Out of reach: the fastest hosts.
  selection.mean_speed = 1e12;
  std::vector<double> speeds;
  for (const Host& host : varied().hosts()) speeds.push_back(host.flops_per_second);
  std::ranges::sort(speeds, std::greater());
  double greatest = 0;
  for (int i = 0; i < 20; ++i) greatest += speeds[static_cast<std::size_t>(i)] / 20;
  CHECK(moments_of(varied(), selected(selection)).mean_speed == Approx(greatest).epsilon(1e-12));
}

TEST_CASE("selection: wrong or contradictory conditions are refused", "[simcore][platform]") {
  using Catch::Contains;
  HostSelection selection;
  selection.names = {"node-1", "node-999"};
  CHECK_THAT(refusal(selection), Contains("'node-999' is not a host") && Contains("150 hosts"));
  selection.names = {"node-1", "node-1"};
  CHECK_THAT(refusal(selection), Contains("twice"));
  selection = {};
  selection.hosts = 151;
  CHECK_THAT(refusal(selection), Contains("1 to 150"));
  selection = {};
  selection.mean_speed = 1e9;
  CHECK_THAT(refusal(selection), Contains("need a number"));
  selection.hosts = 3;
  selection.diameter_seconds = 1;
  CHECK_THAT(refusal(selection), Contains("not supported together"));
  selection.diameter_seconds.reset();
  selection.mean_speed = 0;
  CHECK_THAT(refusal(selection), Contains("greater than 0"));
}
