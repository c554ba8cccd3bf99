// SPDX-License-Identifier: MIT
//
// Quantiles of samples.
#include "simcore/statistics/quantiles.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "simcore/support/random.hpp"

namespace quantiles_test {

using namespace rehearse;
using rehearse::statistics::Quantiles;

TEST_CASE("quantiles: those of few samples are exact") {
  Quantiles of;
  CHECK(of.at(0.5) == 0);
  for (int i = 100; i >= 1; --i) of.add(i);
  CHECK(of.at(0.5) == 50);
  CHECK(of.at(0.99) == 99);
  CHECK(of.at(1) == 100);
  CHECK(of.mean() == 50.5);
  CHECK((of.least() == 1 && of.greatest() == 100 && of.count() == 100));
}

TEST_CASE("quantiles: those of many samples are at most 1.1 % too high") {
  Quantiles of;
  std::vector<double> samples;
  SplitMix random(3);
  for (int i = 0; i < 20'000; ++i) {
    samples.push_back(1e-6 * std::exp(8 * random.uniform()));
    of.add(samples.back());
  }
  std::ranges::sort(samples);
  for (const double quantile : {0.01, 0.5, 0.95, 0.99, 0.9999}) {
    const double exact = samples[static_cast<std::size_t>(std::ceil(quantile * 20'000)) - 1];
    CHECK(of.at(quantile) >= exact * (1 - 1e-12));
    CHECK(of.at(quantile) <= exact * 1.011);
  }
  CHECK(of.at(1) == samples.back());
}

}  // namespace quantiles_test
