// SPDX-License-Identifier: MIT
//
// The seed of all random numbers, and seeds of their own.
#include <catch2/catch.hpp>

#include "app/model_flags.hpp"
#include "simcore/sampler.hpp"

namespace rehearse::app {
namespace {

ModelOptions options_with(const std::map<std::string, std::string>& values, std::optional<std::uint64_t> seed) {
  ModelFlags flags;
  flags.values = values;
  flags.seed = seed;
  auto made = make_model_options(flags);
  if (!made) FAIL(made.error().text);
  return made.value();
}

// Drawn times of a class that never runs.
std::vector<double> drawn_times(std::uint64_t seed) {
  Sampler sampler(SampleAs::draw, {}, seed);
  const EmpiricalDistribution times({1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  sampler.know({"work"}, {{}, times, {}, {}});
  SampleClass& of = sampler.find(0, "work", {}, {});
  std::vector<double> drawn;
  for (int i = 0; i < 20; ++i) drawn.push_back(sampler.next(of, 0).seconds);
  return drawn;
}

}  // namespace

TEST_CASE("seeds: one seed sets all that have none of their own", "[cli]") {
  CHECK(options_with({}, std::nullopt).seed == 1);
  CHECK(options_with({}, std::nullopt).packet_seed == 1);
  CHECK(options_with({}, 7).seed == 7);
  CHECK(options_with({}, 7).packet_seed == 7);
  CHECK(options_with({{"profile-seed", "3"}}, 7).seed == 3);
  CHECK(options_with({{"profile-seed", "3"}}, 7).packet_seed == 7);
}

TEST_CASE("seeds: drawn times of sampled code depend on the seed", "[cli]") {
  CHECK(drawn_times(1) == drawn_times(1));
  CHECK(drawn_times(1) != drawn_times(2));
  CHECK(drawn_times(2) != drawn_times(3));
}

}  // namespace rehearse::app
