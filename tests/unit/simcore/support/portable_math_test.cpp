// SPDX-License-Identifier: MIT
//
// Functions that are the same on every machine: their errors against long double, and bits that do not change.
#include "simcore/support/portable_math.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "simcore/support/random.hpp"

using namespace rehearse;

namespace {

// In units of the last place.
double error_of(double value, long double exact) {
  return static_cast<double>(std::fabs((static_cast<long double>(value) - exact) / exact)) / 0x1p-52;
}

}  // namespace

TEST_CASE("portable math: errors are below two units in the last place", "[simcore][platform]") {
  SplitMix random(3);
  double exp = 0, log = 0, length = 0;
  for (int i = 0; i < 100'000; ++i) {
    const double x = (random.uniform() - 0.5) * 1400, y = portable_exp((random.uniform() - 0.5) * 200);
    exp = std::max(exp, error_of(portable_exp(x), std::exp(static_cast<long double>(x))));
    log = std::max(log, error_of(portable_log(y), std::log(static_cast<long double>(y))));
    const double a = random.uniform() - 0.5, b = (random.uniform() - 0.5) / static_cast<double>(1 + i % 5000);
    length = std::max(length, error_of(portable_length(a, b), std::hypot(static_cast<long double>(a), b)));
  }
  CHECK(exp < 2);
  CHECK(log < 2);
  CHECK(length < 1);
}

TEST_CASE("portable math: limits and known values", "[simcore][platform]") {
  CHECK(portable_exp(0) == 1);
  CHECK(portable_exp(-800) == 0);
  CHECK(std::isinf(portable_exp(710)));
  CHECK(portable_log(1) == 0);
  CHECK(portable_length(3, 4) == 5);
  CHECK(portable_length(-0.25, 0) == 0.25);
  CHECK(portable_normal_quantile(0.5) == 0);
  CHECK(portable_normal_quantile(0.975) == Approx(1.959963984540054).epsilon(1e-13));
  CHECK(portable_normal_quantile(1e-20) == Approx(-9.262340089798408).epsilon(1e-13));
  CHECK(portable_normal_quantile(0.999) == -portable_normal_quantile(1 - 0.999));
}

// Another result on some machine would change generated files there.
TEST_CASE("portable math: the last digits do not depend on the machine", "[simcore][platform]") {
  CHECK(portable_exp(1) == 0x1.5bf0a8b14576ap+1);
  CHECK(portable_exp(-0.3) == 0x1.7b4c869c37c05p-1);
  CHECK(portable_log(0.1) == -0x1.26bb1bbb55515p+1);
  CHECK(portable_length(0.1, 0.7) == 0x1.6a09e667f3bccp-1);
  CHECK(portable_normal_quantile(0.01) == -0x1.29c5c4630ff0ep+1);
}
