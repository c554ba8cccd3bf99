// SPDX-License-Identifier: MIT
//
// Laws for the time of code by its sizes.
#include "simcore/sample_law.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "simcore/sampler.hpp"

using namespace rehearse;

TEST_CASE("sample law: two coefficients are found exactly", "[simcore]") {
  const std::vector<SizedTime> sizes = {{10, 2 + 0.5 * 10}, {20, 2 + 0.5 * 20}, {40, 2 + 0.5 * 40}, {80, 2 + 0.5 * 80}};
  const auto law = fit_law(sizes);
  REQUIRE(law);
  CHECK(law->constant == Approx(2).epsilon(1e-9));
  CHECK(law->slope == Approx(0.5).epsilon(1e-9));
  CHECK(law->r_squared == Approx(1).epsilon(1e-9));
  CHECK(law->largest_residual < 1e-9);
  CHECK(law->classes == 4);
  CHECK(law->contains(10));
  CHECK_FALSE(law->contains(81));
}

TEST_CASE("sample law: coefficients are not negative", "[simcore]") {
  // The free optimum has a constant below 0.
  const auto steep = fit_law(std::vector<SizedTime>{{10, 9.5}, {20, 19.4}, {30, 30.5}, {40, 41}});
  REQUIRE(steep);
  CHECK(steep->constant == 0);
  CHECK(steep->slope == Approx(1).epsilon(0.05));
  // The free optimum falls.
  const auto falling = fit_law(std::vector<SizedTime>{{10, 1.03}, {20, 1.02}, {30, 1.01}, {40, 1}});
  REQUIRE(falling);
  CHECK(falling->slope == 0);
  CHECK(falling->constant == Approx(1.015).epsilon(0.01));
}

TEST_CASE("sample law: relative residuals count, so a small size matters as much as a large one", "[simcore]") {
  const auto law = fit_law(std::vector<SizedTime>{{1, 1}, {2, 2}, {4, 4}, {1000, 1090}});
  REQUIRE(law);
  CHECK(law->largest_residual < 0.1);
  CHECK(law->seconds(1) == Approx(1).epsilon(0.05));
}

TEST_CASE("sample law: few sizes, sizes of no use and times of another law are refused", "[simcore]") {
  CHECK_FALSE(fit_law(std::vector<SizedTime>{{1, 1}, {2, 2}, {3, 3}}));
  CHECK_FALSE(fit_law(std::vector<SizedTime>{{1, 1}, {2, 2}, {3, 3}, {3, 3}}));
  CHECK_FALSE(fit_law(std::vector<SizedTime>{{0, 1}, {2, 2}, {3, 3}, {4, 4}}));
  CHECK_FALSE(fit_law(std::vector<SizedTime>{{1, 0}, {2, 2}, {3, 3}, {4, 4}}));
  CHECK_FALSE(fit_law(std::vector<SizedTime>{{1, 1}, {2, 4}, {3, 9}, {4, 16}}));
  const std::int64_t numbers[] = {2, 3, 4}, negative[] = {2, -3};
  CHECK(product_of(numbers) == 24);
  CHECK(product_of(negative) == 0);
  CHECK(product_of({}) == 0);
}

namespace {

// Executes a class of each size; an execution takes 1 s and 2 s for each unit.
void measure(Sampler& sampler, std::initializer_list<std::int64_t> sizes) {
  for (const std::int64_t size : sizes)
    for (int i = 0; i < 8; ++i) {
      SampleClass& of = sampler.find(0, "f", {&size, 1}, {.error = 0, .most = 8});
      const auto decision = sampler.next(of, 0);
      sampler.took(of, 0, 1 + 2 * static_cast<double>(size), decision.is_cold);
    }
}

}  // namespace

TEST_CASE("sampler: a size that never ran takes the time of the law, if that is wanted", "[simcore]") {
  const std::int64_t between[] = {6}, above[] = {100};
  Sampler without(SampleAs::draw), with(SampleAs::draw);
  with.use_models();
  for (Sampler* sampler : {&without, &with}) measure(*sampler, {1, 2, 4, 8});
  CHECK(without.next(without.find(0, "f", between, {}), 0).runs);
  const auto inside = with.next(with.find(0, "f", between, {}), 0),
             outside = with.next(with.find(0, "f", above, {}), 0);
  CHECK_FALSE(inside.runs);
  CHECK(inside.seconds == Approx(13).epsilon(1e-9));
  CHECK_FALSE(outside.runs);
  CHECK(outside.seconds == Approx(201).epsilon(1e-9));
  const auto& law = with.find(0, "f", above, {}).law();
  REQUIRE(law);
  CHECK_FALSE(law->contains(100));
  // Classes with the times of a law are no basis of others, and another name has no law.
  CHECK(law->classes == 4);
  const std::int64_t other[] = {7};
  CHECK_FALSE(with.next(with.find(0, "f", other, {}), 0).runs);
  CHECK(with.find(0, "f", other, {}).law()->classes == 4);
  CHECK(with.next(with.find(0, "g", other, {}), 0).runs);
}

TEST_CASE("sampler: three sizes give no law, and a class that has begun goes on", "[simcore]") {
  const std::int64_t size[] = {6};
  Sampler sampler;
  sampler.use_models();
  measure(sampler, {1, 2, 4});
  CHECK(sampler.next(sampler.find(0, "f", size, {}), 0).runs);
  measure(sampler, {8});
  CHECK(sampler.next(sampler.find(0, "f", size, {}), 0).runs);
}
