// SPDX-License-Identifier: MIT
//
// Times in reports, and reports that have none.
#include "app/reported_times.hpp"

#include <catch2/catch.hpp>

#include "tests/support/temporary_file.hpp"

namespace rehearse::app {
namespace {

std::string fault_of(const std::string& text) {
  const testing::TemporaryFile file(text);
  const auto read = read_reported_times(file.path());
  return read ? "" : read.error().text.substr(file.path().size() + 2);
}

}  // namespace

TEST_CASE("reported times: of one run, and of repeated ones", "[cli]") {
  const testing::TemporaryFile one(
      R"({"simulated_seconds": 0.5, "ranks": [{}, {}], "platform": "p", "network_model": {"name": "lv08"}})");
  const auto single = read_reported_times(one.path());
  REQUIRE(single);
  CHECK(single.value().times.seconds == std::vector<double>{0.5});
  CHECK(single.value().times.seeds.empty());
  CHECK(single.value().ranks == 2);
  CHECK(single.value().platform == "p");
  CHECK(single.value().network == "lv08");
  const testing::TemporaryFile many(
      R"({"simulated_seconds": 0.5, "ranks": [], "network": "packet", "repetition": {"requested": 3, "runs": [
          {"seed": 1, "simulated_seconds": 0.5, "disturbed": true}, {"seed": 9, "simulated_seconds": 0}]}})");
  const auto repeated = read_reported_times(many.path());
  REQUIRE(repeated);
  CHECK(repeated.value().times.seconds == std::vector<double>{0.5, 0});
  CHECK(repeated.value().times.seeds == std::vector<std::uint64_t>{1, 9});
  CHECK(repeated.value().requested == 3);
  CHECK(repeated.value().disturbed == 1);
  CHECK(repeated.value().network == "packet");
}

TEST_CASE("reported times: other files are refused", "[cli]") {
  CHECK_FALSE(read_reported_times("/missing.json"));
  CHECK_FALSE(fault_of("no JSON").empty());
  CHECK(fault_of("[1]").starts_with("no simulated_seconds and ranks; accepted: "));
  CHECK(fault_of(R"({"simulated_seconds": "1", "ranks": []})").starts_with("no simulated_seconds"));
  const std::string head = R"({"simulated_seconds": 1, "ranks": [], "repetition": )";
  CHECK(fault_of(head + "{}}").starts_with("repetition: no runs"));
  CHECK(fault_of(head + "3}").starts_with("repetition: no runs"));
  CHECK(fault_of(head + R"({"runs": [{"simulated_seconds": 1}]}})").starts_with("repetition: runs: 0: no seed"));
  CHECK(fault_of(head + R"({"runs": [{"seed": 1, "simulated_seconds": -1}]}})")
            .starts_with("repetition: runs: 0: no sim"));
  CHECK(fault_of(head + R"({"requested": "x", "runs": [{"seed": 1, "simulated_seconds": 1}]}})")
            .starts_with("repetition: "));
}

}  // namespace rehearse::app
