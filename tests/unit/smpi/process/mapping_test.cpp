// SPDX-License-Identifier: MIT
//
// When code is mapped and when it is copied.
#include "smpi/process/mapping.hpp"

#include <array>
#include <catch2/catch.hpp>

namespace rehearse::smpi {
namespace {

using Catch::Matchers::Contains;

constexpr MappingRoom room{64'000, 1'000'000'000};

TEST_CASE("mapping: code is shared as long as the kernel has mappings for all ranks", "[smpi][process]") {
  const std::array few = {MappingNeed{16'000, 4, 20'480}};
  CHECK(plan_mapping(few, room).value() == Mapping::mapped);
  const std::array many = {MappingNeed{16'001, 4, 20'480}};
  CHECK(plan_mapping(many, room).value() == Mapping::copied);
}

TEST_CASE("mapping: the mappings of all programs of a job count", "[smpi][process]") {
  const std::array two = {MappingNeed{8'000, 4, 20'480}, MappingNeed{8'000, 4, 20'480}};
  CHECK(plan_mapping(two, room).value() == Mapping::mapped);
  const std::array larger = {MappingNeed{8'000, 4, 20'480}, MappingNeed{8'000, 6, 20'480}};
  CHECK(plan_mapping(larger, room).value() == Mapping::copied);
}

TEST_CASE("mapping: code that is too large to copy names the limit to raise", "[smpi][process]") {
  const std::array large = {MappingNeed{20'000, 8, 2'500'000}};
  const auto refused = plan_mapping(large, room);
  REQUIRE_FALSE(refused);
  CHECK_THAT(refused.error().text, Contains("20000 ranks need about 160000 mappings"));
  CHECK_THAT(refused.error().text, Contains("allows 64000 more"));
  CHECK_THAT(refused.error().text, Contains("vm.max_map_count=182048"));
}

}  // namespace
}  // namespace rehearse::smpi
