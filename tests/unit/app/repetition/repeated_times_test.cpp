// SPDX-License-Identifier: MIT
//
// Statistics of repeated runs, against published values.
#include "app/repeated_times.hpp"

#include <catch2/catch.hpp>
#include <numeric>

namespace rehearse::app {
namespace {

std::vector<double> whole_numbers(std::size_t last) {
  std::vector<double> numbers(last);
  std::iota(numbers.begin(), numbers.end(), 1);
  return numbers;
}

}  // namespace

TEST_CASE("repeated times: quantiles are those of definition 7", "[cli]") {
  const std::vector<double> ten = whole_numbers(10);
  CHECK(quantile_of(ten, 0) == 1);
  CHECK(quantile_of(ten, 0.1) == Approx(1.9));
  CHECK(quantile_of(ten, 0.5) == Approx(5.5));
  CHECK(quantile_of(ten, 0.9) == Approx(9.1));
  CHECK(quantile_of(ten, 1) == 10);
  CHECK(quantile_of(std::vector<double>{3}, 0.9) == 3);
}

// The differences of A. Cushny and A. Peebles, on which Student showed his distribution in 1908.
TEST_CASE("repeated times: the interval of the mean is Student's", "[cli]") {
  const TimeStatistics statistics = statistics_of({1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4});
  CHECK(statistics.runs == 10);
  CHECK(statistics.mean == Approx(1.58));
  CHECK(statistics.deviation == Approx(1.229995).epsilon(1e-6));
  REQUIRE(statistics.of_mean);
  CHECK(statistics.of_mean->low == Approx(0.7001142).epsilon(1e-4));
  CHECK(statistics.of_mean->high == Approx(2.4598858).epsilon(1e-4));
  CHECK(statistics.minimum == 0);
  CHECK(statistics.median == Approx(1.3));
  CHECK(statistics.maximum == 4.6);
}

// Ranks from tables of binomial intervals, for confidence of at least 95 %.
TEST_CASE("repeated times: the interval of the median lies between the ranks of the tables", "[cli]") {
  struct Row {
    std::size_t runs, low, high;
  };
  for (const Row& row : {Row{6, 1, 6}, Row{8, 1, 8}, Row{9, 2, 8}, Row{12, 3, 10}, Row{20, 6, 15}, Row{100, 40, 61}}) {
    const TimeStatistics statistics = statistics_of(whole_numbers(row.runs));
    REQUIRE(statistics.of_median);
    CHECK(statistics.of_median->low == static_cast<double>(row.low));
    CHECK(statistics.of_median->high == static_cast<double>(row.high));
  }
  CHECK_FALSE(statistics_of(whole_numbers(5)).of_median);
  CHECK(statistics_of(whole_numbers(2000)).of_median);
}

TEST_CASE("repeated times: skewed times need more runs", "[cli]") {
  const TimeStatistics skewed = statistics_of({1, 2, 3, 10});  // moments 12.5 and 45
  CHECK(skewed.skewness == Approx(45 / std::pow(12.5, 1.5)));
  CHECK(skewed.skewed_runs() == 26);
  CHECK(statistics_of({1, 2, 3, 4}).skewed_runs() == 0);
  CHECK(statistics_of({1}).skewed_runs() == 0);
}

TEST_CASE("repeated times: equal times, and one time, have no interval", "[cli]") {
  const TimeStatistics equal = statistics_of({0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1}), one = statistics_of({0.3});
  CHECK(equal.all_equal());
  CHECK(equal.mean == 0.1);
  CHECK(equal.deviation == 0);
  CHECK_FALSE(equal.of_mean);
  CHECK_FALSE(equal.of_median);
  CHECK(one.mean == 0.3);
  CHECK_FALSE(one.of_mean);
}

}  // namespace rehearse::app
