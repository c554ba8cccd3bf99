// SPDX-License-Identifier: MIT
//
// Values over time: few points, exact means.
#include "simcore/statistics/value_series.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "simcore/statistics/rate_series.hpp"
#include "simcore/support/random.hpp"

namespace value_series_test {

using namespace rehearse;
using namespace rehearse::statistics;

double area(const std::vector<SeriesPoint>& points) {
  double sum = 0;
  for (std::size_t i = 0; i + 1 < points.size(); ++i)
    sum += points[i].value * (points[i + 1].seconds - points[i].seconds);
  return sum;
}

TEST_CASE("value series: few changes are points, and the last one is at the end") {
  ValueSeries series(10);
  series.note(0, 5);
  series.note(1'000'000, 5);  // no change
  series.note(2'000'000, 7);
  series.note(2'000'000, 8);  // 7 held for no time
  const auto points = series.finish(3'000'000);
  REQUIRE(points.size() == 3);
  CHECK((points[0].seconds == 0 && points[0].value == 5));
  CHECK((points[1].seconds == 2e-6 && points[1].value == 8 && points[1].least == 8));
  CHECK((points[2].seconds == 3e-6 && points[2].value == 8));
}

TEST_CASE("value series: merged points keep the mean, the extremes and the final value") {
  for (const std::uint32_t most : {4u, 10u, 1000u}) {
    ValueSeries series(most);
    SplitMix random(7);
    double exact = 0, last = 0, least = 1e9, greatest = 0;
    packet::Picoseconds date = 0;
    for (int i = 0; i < 50'000; ++i) {
      last = static_cast<double>(random.below(1000)) + 1;
      const auto time = static_cast<packet::Picoseconds>(1 + random.below(i % 100 == 0 ? 1'000'000 : 1000));
      series.note(date, last);
      exact += last * static_cast<double>(time) * 1e-12;
      least = std::min(least, last);
      greatest = std::max(greatest, last);
      date += time;
    }
    const auto points = series.finish(date);
    CHECK(points.size() <= most);
    CHECK(points.size() > most / 8);
    CHECK(points.back().value == last);
    CHECK(area(points) == Approx(exact).epsilon(1e-9));
    CHECK(std::ranges::max_element(points, {}, &SeriesPoint::greatest)->greatest == greatest);
    CHECK(std::ranges::min_element(points, {}, &SeriesPoint::least)->least == least);
    CHECK(std::ranges::is_sorted(points, {}, &SeriesPoint::seconds));
  }
}

TEST_CASE("rate series: sums are exact, whatever the width of the slices") {
  RateSeries series(16);
  double bytes = 0;
  for (int i = 0; i < 1000; ++i) {
    series.add(i * 12'345, i * 12'345 + 10'000, 1500);
    bytes += 1500;
  }
  const packet::Picoseconds end = 999 * 12'345 + 10'000;
  const auto points = series.finish(end);
  CHECK(points.size() <= 16);
  CHECK(area(points) == Approx(bytes).epsilon(1e-6));
  CHECK(points.back().seconds == Approx(static_cast<double>(end) * 1e-12));
}

}  // namespace value_series_test
