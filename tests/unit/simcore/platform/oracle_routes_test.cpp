// SPDX-License-Identifier: MIT
//
// Platform files of other people, and the routes that an independent simulator finds on them.
#include <catch2/catch.hpp>
#include <filesystem>
#include <iostream>
#include <map>
#include <sstream>

#include "simcore/platform.hpp"
#include "tests/support/flow_records.hpp"

using namespace rehearse;
using namespace rehearse::testing;

namespace {

std::string as_text(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

std::string describe(const Platform& platform, const Link& link) {
  const char* names[] = {"SHARED", "FATPIPE", "WIFI"};
  (void)platform;
  return as_text(link.bytes_per_second) + ":" + as_text(link.latency_seconds) + ":" +
         names[static_cast<int>(link.sharing)];
}

// `route SOURCE DESTINATION lat=L n=COUNT NAME:BANDWIDTH:LATENCY:SHARING ...`, with blanks in names.
void check_record(const Platform& platform, const std::string& question, const std::string& result,
                  std::map<std::string, std::string>& names) {
  REQUIRE(result.starts_with(question + " lat="));
  std::istringstream ends(question), words(result.substr(question.size()));
  std::string kind, source, destination, latency, count;
  ends >> kind >> source >> destination;
  words >> latency >> count;
  const auto route = platform.find_route(platform.find_host(source).value(), platform.find_host(destination).value());
  REQUIRE(route.has_value());
  INFO(result);
  // Sums of the same numbers, perhaps in another order.
  CHECK(std::abs(route->latency_seconds - std::stod(latency.substr(4))) <= 4e-16 * route->latency_seconds);
  CHECK("n=" + std::to_string(route->links.size()) == count);
  std::string expected, actual;
  std::size_t at = 0;
  for (std::string link; words >> link; ++at) {
    expected += " " + link.substr(link.find(':') + 1);
    if (at >= route->links.size()) continue;
    // The same link of theirs is always the same link of ours.
    const std::string& ours = platform.link(route->links[at]).name;
    const auto [known, is_new] = names.emplace(link.substr(0, link.find(':')), ours);
    CHECK(known->second == ours);
  }
  for (const LinkId link : route->links) actual += " " + describe(platform, platform.link(link));
  CHECK(actual == expected);
}

}  // namespace

TEST_CASE("platform: files of other projects load without changes", "[simcore][platform]") {
  const auto folder = find_oracle_folder();
  if (!folder) {
    std::cout << "skipped: no platform files of others (set REHEARSE_ORACLE_DIR)\n";
    return;
  }
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(*folder + "/platforms")) {
    if (entry.path().extension() != ".xml") continue;
    const auto platform = make_platform(entry.path().string());
    if (!platform) FAIL_CHECK(platform.error().text);
    ++files;
  }
  CHECK(files >= 30);
}

TEST_CASE("platform: routes are those of an independent simulator", "[simcore][platform]") {
  const auto folder = find_oracle_folder();
  if (!folder) {
    std::cout << "skipped: no routes of others (set REHEARSE_ORACLE_DIR)\n";
    return;
  }
  int checked = 0;
  for (const FlowRecord& record : read_flow_records(*folder)) {
    if (record.scenario != "routes") continue;
    auto platform = make_platform(*folder + "/" + record.platform);
    INFO(record.platform);
    if (!platform) FAIL(platform.error().text);
    std::map<std::string, std::string> names;
    REQUIRE(record.lines.size() == record.results.size());
    for (std::size_t i = 0; i < record.lines.size(); ++i)
      check_record(platform.value(), record.lines[i], record.results[i], names);
    ++checked;
  }
  CHECK(checked == 21);
}
