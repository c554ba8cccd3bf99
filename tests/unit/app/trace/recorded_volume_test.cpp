// SPDX-License-Identifier: MIT
//
// What volumes are, files of rates, and rates of regions from two recordings.
#include "app/recorded_volume.hpp"

#include <catch2/catch.hpp>

#include "tests/support/temporary_file.hpp"

namespace rehearse::app {
namespace {

using testing::TemporaryFile;
using Kind = RecordedVolume::Kind;

RecordedVolume volume_of(const std::string& about) { return volume_in("rtrace", about); }

}  // namespace

TEST_CASE("volumes: the facts about a recording say what they are", "[app][trace]") {
  CHECK(volume_in("ti", "").kind == Kind::flops);
  CHECK(volume_in("goal", "").kind == Kind::seconds);
  CHECK(volume_of(R"({"counter": "instructions", "flops_per_instruction": 2})").kind == Kind::instructions);
  CHECK(volume_of(R"({"counter": "instructions", "flops_per_instruction": 2})").flops_per_unit == 2);
  CHECK(volume_of(R"({"counter": "processor time", "flops_per_second": 5e9})").kind == Kind::seconds);
  CHECK(volume_of(R"({"counter": "processor time", "flops_per_second": 5e9})").flops_per_unit == 5e9);
  const RecordedVolume run =
      volume_of(R"({"reference_flops": 1e10, "options": {"compute": "instructions", "instruction_rate": 4e9}})");
  CHECK(run.kind == Kind::instructions);
  CHECK(run.flops_per_unit == 2.5);
  CHECK(volume_of(R"({"options": {"compute": "measured"}})").kind == Kind::seconds);
  CHECK(volume_of(R"({"options": {"compute": "none"}})").kind == Kind::flops);
  CHECK(volume_of(R"({"converted_from": "x.ti"})").kind == Kind::flops);
  CHECK(volume_of("no JSON").kind == Kind::flops);
}

TEST_CASE("rates: a file has rates by place", "[app][trace]") {
  const TemporaryFile file(R"({"default": 2e9, "region x_solve": 1e9, "region lu.c:rhs": 5e8, "site lu.c:12": 4})");
  const auto rates = read_rates(file.path());
  REQUIRE(rates);
  REQUIRE(rates.value().size() == 4);
  CHECK_FALSE(rates.value()[0].has_place());
  CHECK(rates.value()[0].factor == 2e9);
  CHECK(rates.value()[1].function == "x_solve");
  CHECK(rates.value()[2].file == "lu.c");
  CHECK(rates.value()[3].line == 12);
}

TEST_CASE("rates: other files are refused, with the place", "[app][trace]") {
  CHECK(read_rates("/no/such/file").error().text.find("cannot be read") != std::string::npos);
  for (const char* text : {"", "[]", "{}", R"({"x_solve": 1})", R"({"region rank:3": 1})", R"({"region lu.c:12": 1})",
                           R"({"site lu.c:rhs": 1})", R"({"default": 0})", R"({"default": -1})",
                           R"({"default": "2e9"})", R"({"site rank:1": 1})"}) {
    INFO(text);
    const TemporaryFile file(text);
    const auto rates = read_rates(file.path());
    REQUIRE_FALSE(rates);
    CHECK(rates.error().text.find(file.path()) == 0);
  }
}

TEST_CASE("rates: of regions, from volumes and times", "[app][trace]") {
  // 30 instructions in 3 s, 80 in 2 s; what is short has the rate of the whole.
  const std::vector<RegionVolume> volumes = {{"slow", 60}, {"fast", 160}, {"short", 2}, {"", 10}};
  const std::vector<RegionVolume> times = {{"slow", 3e10}, {"fast", 2e10}, {"short", 1e6}, {"", 1e10}};
  const auto rates = rates_of(volumes, {Kind::instructions, 2}, times, {Kind::seconds, 1e10});
  REQUIRE(rates);
  REQUIRE(rates.value().size() == 3);
  CHECK(rates.value()[0].function.empty());
  CHECK(rates.value()[0].per_second == Approx(116 / 6.0001));
  CHECK(rates.value()[1].function == "slow");
  CHECK(rates.value()[1].per_second == Approx(10));
  CHECK(rates.value()[2].function == "fast");
  CHECK(rates.value()[2].per_second == Approx(40));
  CHECK_FALSE(rates_of({}, {Kind::flops, 1}, {}, {Kind::seconds, 1e10}));
}

}  // namespace rehearse::app
