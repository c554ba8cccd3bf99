// SPDX-License-Identifier: MIT
//
// Cost models give the dates and routes of an independent simulator, where its records are at hand: all of
// them with its quirks, and without them those that no quirk concerns.
#include <algorithm>
#include <catch2/catch.hpp>
#include <iostream>
#include <map>
#include <optional>
#include <sstream>

#include "simcore/cost_model.hpp"
#include "tests/support/flow_records.hpp"

namespace flow_oracle_test {

using namespace rehearse;
using namespace rehearse::testing;

namespace {

// To 1e-9 relative, and the picosecond that time is counted in.
bool is_close(double actual, double expected) { return std::abs(actual - expected) <= 1e-9 * expected + 2e-12; }

HostId host(const Platform& platform, const std::string& name) {
  const auto found = platform.find_host(name);
  if (!found) FAIL("no host " << name);
  return *found;
}

ActivityId start(CostModel& costs, const Platform& platform, const std::string& line) {
  std::istringstream words(line);
  std::string kind, source, destination;
  double date = 0, amount = 0;
  words >> kind >> date >> source;
  REQUIRE(date == 0);
  if (kind != "flow") {
    words >> amount;
    return costs.start(Computation{host(platform, source), amount}, {});
  }
  words >> destination >> amount;
  return costs.start(Transfer{host(platform, source), host(platform, destination), amount}, {}).value();
}

// The end of each of a record's lines.
std::vector<double> ends_of(const FlowRecord& record, const Platform& platform, bool has_quirks) {
  std::string name = record.model;
  std::transform(name.begin(), name.end(), name.begin(), [](char c) { return std::tolower(c); });
  ModelOptions options;
  options.network = name;
  options.simgrid_quirks = has_quirks;
  const auto costs = std::move(make_cost_model(options, platform).value());
  std::map<std::uint32_t, std::size_t> line_of;
  for (std::size_t i = 0; i < record.lines.size(); ++i) line_of[start(*costs, platform, record.lines[i]).value] = i;
  std::vector<double> ends(record.lines.size());
  std::vector<Ended> ended;
  while (costs->is_busy()) {
    const TimePoint date = costs->next_date();
    REQUIRE(date != CostModel::never);
    ended.clear();
    costs->advance(date, ended);
    for (const Ended& end : ended) ends[line_of.at(end.activity.value)] = date.seconds();
  }
  return ends;
}

void check_dates(const FlowRecord& record, const Platform& platform, bool has_quirks) {
  const std::vector<double> ends = ends_of(record, platform, has_quirks);
  for (const std::string& result : record.results) {
    std::size_t index = 0;
    double start = 0, end = 0;
    REQUIRE(std::sscanf(result.c_str(), "%*s #%zu start=%lf end=%lf", &index, &start, &end) == 3);
    INFO(result << " but here " << ends.at(index) << (has_quirks ? " with quirks" : ""));
    CHECK(is_close(ends.at(index), end));
  }
}

void check_route(const Platform& platform, const std::string& result) {
  std::istringstream words(result);
  std::string kind, source, destination, latency, count;
  words >> kind >> source >> destination >> latency >> count;
  const auto route = platform.find_route(host(platform, source), host(platform, destination));
  REQUIRE(route.has_value());
  CHECK(is_close(route->latency_seconds, std::stod(latency.substr(4))));
  std::vector<std::string> expected, actual;
  for (std::string link; words >> link;) expected.push_back(link.substr(0, link.find(':')));
  for (const LinkId link : route->links) actual.push_back(platform.link(link).name);
  CHECK(actual == expected);
}

// With several flows CM02 is not fair-share there (F4); a fatpipe is contended (F3).
bool needs_quirks(const FlowRecord& record) { return record.lines.size() > 1 && record.model == "CM02"; }

}  // namespace

TEST_CASE("cost model: an independent simulator gives the same dates and routes", "[simcore][network][oracle]") {
  const auto folder = find_oracle_folder();
  if (!folder) {
    std::cout << "skipped: no flow records (set REHEARSE_ORACLE_DIR)\n";
    return;
  }
  int checked = 0, without_quirks = 0;
  for (const FlowRecord& record : read_flow_records(*folder)) {
    INFO(record.platform << " " << record.scenario << " " << record.model);
    auto platform = make_platform(*folder + "/" + record.platform);
    if (!platform) FAIL(platform.error().text);
    ++checked;
    if (record.scenario == "routes") {
      for (const std::string& result : record.results) check_route(platform.value(), result);
      continue;
    }
    check_dates(record, platform.value(), true);
    if (needs_quirks(record)) continue;
    check_dates(record, platform.value(), false);
    ++without_quirks;
  }
  CHECK(checked == 294);
  CHECK(without_quirks >= 230);
}

}  // namespace flow_oracle_test
