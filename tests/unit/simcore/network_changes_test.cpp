// SPDX-License-Identifier: MIT
//
// A changed network: the same dates as on a platform that has the changed numbers.
#include <catch2/catch.hpp>
#include <limits>
#include <map>
#include <string>

#include "simcore/cost_model.hpp"
#include "simcore/support/format.hpp"
#include "simcore/support/random.hpp"
#include "tests/support/temporary_file.hpp"

namespace network_changes_test {

using namespace rehearse;
using namespace rehearse::testing;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// Three hosts around a shared backbone, with links of different numbers.
Platform star(double latency_factor, double bandwidth_factor, const std::string& policy = "SHARED") {
  std::string text = "<platform version='4.1'><zone id='z' routing='Full'>";
  const double latencies[] = {1e-3, 2e-3, 5e-4, 1e-4}, bandwidths[] = {1e6, 3e6, 2e6, 2.5e6};
  for (int i = 0; i < 3; ++i)
    text += fmt::format("<host id='h{}' speed='1Gf'><prop id='upload' value='{}Bps'/><prop id='download' "
                        "value='{}Bps'/></host>",
                        i, bandwidths[i] * bandwidth_factor, bandwidths[2 - i] * bandwidth_factor);
  for (int i = 0; i < 4; ++i)
    text += fmt::format("<link id='l{}' bandwidth='{}Bps' latency='{}s' sharing_policy='{}'/>", i,
                        bandwidths[i] * bandwidth_factor, latencies[i] * latency_factor, policy);
  for (int i = 0; i < 3; ++i)
    for (int j = i + 1; j < 3; ++j)
      text += fmt::format("<route src='h{0}' dst='h{1}'><link_ctn id='l{0}'/><link_ctn id='l3'/><link_ctn "
                          "id='l{1}'/></route>",
                          i, j);
  const TemporaryFile file(text + "</zone></platform>");
  auto platform = make_platform(file.path());
  if (!platform) FAIL(platform.error().text);
  return std::move(platform.value());
}

// The ends of 40 random transfers that start at random dates, in picoseconds by their numbers.
std::map<int, std::int64_t> ends_of(const ModelOptions& options, const Platform& platform, std::uint64_t seed) {
  auto made = make_cost_model(options, platform);
  if (!made) FAIL(made.error().text);
  CostModel& model = *made.value();
  SplitMix random(seed);
  std::map<int, std::int64_t> ends;
  std::map<std::uint32_t, int> number_of;
  TimePoint now;
  const auto advance = [&](TimePoint date) {
    std::vector<Ended> ended;
    model.advance(date, ended);
    for (const Ended& end : ended) ends[number_of.at(end.activity.value)] = date.picoseconds;
  };
  for (int i = 0; i < 40; ++i) {
    now = now + Duration{static_cast<std::int64_t>(random.below(5'000'000'000))};
    while (model.is_busy() && model.next_date() <= now) advance(model.next_date());
    advance(now);
    const auto source = static_cast<std::uint32_t>(random.below(3));
    const auto other = static_cast<std::uint32_t>((source + 1 + random.below(2)) % 3);
    const auto activity = model.start(Transfer{{source}, {other}, static_cast<double>(random.below(20'000))}, now);
    REQUIRE(activity);
    number_of[activity->value] = i;
  }
  while (model.is_busy()) advance(model.next_date());
  return ends;
}

void compare(const std::map<int, std::int64_t>& one, const std::map<int, std::int64_t>& other) {
  REQUIRE(one.size() == other.size());
  for (const auto& [number, end] : one) {
    INFO("transfer " << number);
    CHECK(std::abs(end - other.at(number)) <= 1000);  // 1 ns: shares are rounded in another order
  }
}

}  // namespace

TEST_CASE("changed network: factors give the dates of a platform with these numbers", "[simcore][cost]") {
  for (const char* network : {"raw", "cm02", "lv08", "smpi", "last_mile", "loggps"})
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      INFO(network << ", seed " << seed);
      ModelOptions changed{.network = network};
      changed.changes = {.latency_factor = 0.25, .bandwidth_factor = 4};
      compare(ends_of(changed, star(1, 1), seed), ends_of({.network = network}, star(0.25, 4), seed));
    }
}

TEST_CASE("changed network: without contention links are fatpipes", "[simcore][cost]") {
  for (const char* network : {"raw", "lv08", "smpi"})
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      ModelOptions changed{.network = network};
      changed.changes.has_contention = false;
      compare(ends_of(changed, star(1, 1), seed), ends_of({.network = network}, star(1, 1, "FATPIPE"), seed));
    }
}

TEST_CASE("changed network: infinite bandwidth leaves the latency", "[simcore][cost]") {
  for (const char* network : {"raw", "cm02", "lv08", "smpi", "last_mile", "loggps"}) {
    INFO(network);
    const Platform platform = star(1, 1);
    ModelOptions changed{.network = network};
    changed.changes.bandwidth_factor = infinite;
    auto model = std::move(make_cost_model(changed, platform).value());
    const auto activity = model->start(Transfer{{0}, {1}, 1e6}, {});
    REQUIRE(activity);
    const double factor = network == std::string("lv08") ? 13.01 : network == std::string("smpi") ? 11.6436 : 1;
    const double latency = 1e-3 + 1e-4 + 2e-3;
    std::vector<Ended> ended;
    while (ended.empty()) {
      const TimePoint date = model->next_date();
      model->advance(date, ended);
      if (!ended.empty()) CHECK(date.seconds() == Approx(latency * factor).epsilon(1e-9));
    }
  }
}

TEST_CASE("changed network: constant has a changed delay, and loggps no overhead", "[simcore][cost]") {
  const Platform platform = star(1, 1);
  const auto end_of = [&](const ModelOptions& options) {
    auto model = std::move(make_cost_model(options, platform).value());
    REQUIRE(model->start(Transfer{{0}, {1}, 1001}, {}));
    std::vector<Ended> ended;
    TimePoint date;
    while (ended.empty()) model->advance(date = model->next_date(), ended);
    return date.seconds();
  };
  ModelOptions constant{.network = "constant", .delay_seconds = 2};
  constant.changes.latency_factor = 0.25;
  CHECK(end_of(constant) == Approx(0.5));
  ModelOptions gaps{.network = "loggps"};
  gaps.loggps = {.latency = 1e-3, .overhead = 5e-3, .gap = 0, .gap_per_byte = 1e-6};
  CHECK(end_of(gaps) == Approx(0.005 + 0.001 + 0.001 + 0.005));
  gaps.changes.has_overheads = false;
  CHECK(end_of(gaps) == Approx(0.002));
  gaps.changes.bandwidth_factor = 2;
  CHECK(end_of(gaps) == Approx(0.0015));
}

TEST_CASE("changed network: factors out of range are refused", "[simcore][cost]") {
  const Platform platform = star(1, 1);
  ModelOptions options;
  options.changes.bandwidth_factor = 0;
  CHECK_FALSE(make_cost_model(options, platform));
  options.changes = {.latency_factor = -1};
  CHECK_FALSE(make_cost_model(options, platform));
}

}  // namespace network_changes_test
