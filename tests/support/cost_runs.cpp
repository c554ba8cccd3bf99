// SPDX-License-Identifier: MIT
//
// Runs cost models.
#include "tests/support/cost_runs.hpp"

#include <catch2/catch.hpp>

#include "tests/support/temporary_file.hpp"

namespace rehearse::testing {

Platform platform_of(const std::string& inside) {
  const TemporaryFile file("<platform version='4.1'><zone id='z' routing='Full'>" + inside + "</zone></platform>");
  auto platform = make_platform(file.path());
  if (!platform) FAIL(platform.error().text);
  return std::move(platform.value());
}

std::unique_ptr<CostModel> costs_of(const Platform& platform, ModelOptions options) {
  auto costs = make_cost_model(options, platform);
  if (!costs) FAIL(costs.error().text);
  return std::move(costs.value());
}

std::unique_ptr<CostModel> costs_of(const Platform& platform, const std::string& network) {
  return costs_of(platform, ModelOptions{.network = network});
}

TimePoint at(double seconds) { return TimePoint{} + Duration::from_seconds(seconds); }

void run_until(CostModel& costs, double seconds, std::map<std::uint32_t, double>& ends) {
  std::vector<Ended> ended;
  while (true) {
    const TimePoint date = std::min(costs.next_date(), at(seconds));
    ended.clear();
    costs.advance(date, ended);
    for (const Ended& end : ended) ends[end.activity.value] = end.failed ? -date.seconds() : date.seconds();
    if (date == at(seconds)) return;
  }
}

std::map<std::uint32_t, double> run(CostModel& costs) {
  std::map<std::uint32_t, double> ends;
  while (costs.is_busy()) {
    const TimePoint date = costs.next_date();
    REQUIRE(date != CostModel::never);
    run_until(costs, date.seconds(), ends);
  }
  return ends;
}

bool is_close(double actual, double expected) {
  return std::abs(actual - expected) <= 1e-9 * std::abs(expected) + 2e-12;
}

}  // namespace rehearse::testing
