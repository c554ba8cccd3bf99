// SPDX-License-Identifier: MIT
//
// Computes elementary functions by series, after a reduction to a small argument.
#include "simcore/support/portable_math.hpp"

#include <array>
#include <cmath>
#include <limits>

namespace rehearse {

namespace {

// ln 2 in two parts: products of the first one with numbers of up to 11 bits are exact.
constexpr double ln2_high = 0x1.62e42fefap-1;
constexpr double ln2_low = 0x1.cf79abc9e3b39p-40;
constexpr double inverse_ln2 = 0x1.71547652b82fep+0;

template <std::size_t size>
double series(const std::array<double, size>& coefficients, double x) {
  double sum = 0;
  for (std::size_t i = size; i-- > 0;) sum = sum * x + coefficients[i];
  return sum;
}

constexpr std::array<double, 15> make_exp_terms() {
  std::array<double, 15> terms{};
  double factorial = 1;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    terms[i] = 1 / factorial;
    factorial *= static_cast<double>(i + 1);
  }
  return terms;
}

constexpr std::array<double, 12> make_log_terms() {
  std::array<double, 12> terms{};
  for (std::size_t i = 0; i < terms.size(); ++i) terms[i] = 1 / static_cast<double>(2 * i + 1);
  return terms;
}

constexpr std::array<double, 15> exp_terms = make_exp_terms();
constexpr std::array<double, 12> log_terms = make_log_terms();

}  // namespace

double portable_exp(double x) {
  if (x > 709.78) return std::numeric_limits<double>::infinity();
  if (x < -745.2) return 0;
  const double multiple = std::floor(x * inverse_ln2 + 0.5);
  const double rest = (x - multiple * ln2_high) - multiple * ln2_low;
  return std::ldexp(series(exp_terms, rest), static_cast<int>(multiple));
}

double portable_log(double x) {
  int exponent = 0;
  double part = std::frexp(x, &exponent);  // [0.5, 1)
  if (part < 0x1.6a09e667f3bcdp-1) {
    part *= 2;
    --exponent;
  }
  const double s = (part - 1) / (part + 1);
  const double multiple = exponent;
  return multiple * ln2_high + (2 * s * series(log_terms, s * s) + multiple * ln2_low);
}

double portable_length(double x, double y) {
  const double large = std::fmax(std::fabs(x), std::fabs(y)), small = std::fmin(std::fabs(x), std::fabs(y));
  if (small == 0) return large;
  const double length = std::sqrt(large * large + small * small);
  // length^2 - large^2 - small^2, in terms that lose no digits to each other.
  double excess = 0;
  if (length <= 2 * small) {
    const double rest = length - small;
    excess = large * (2 * rest - large) + (rest - 2 * (large - small)) * rest;
  } else {
    const double rest = length - large;
    excess = 2 * rest * (large - 2 * small) + ((4 * rest - small) * small + rest * rest);
  }
  return length - excess / (2 * length);
}

double portable_normal_quantile(double u) {
  constexpr std::array<double, 8> middle_over = {3.3871328727963666080e0, 1.3314166789178437745e2,
                                                 1.9715909503065514427e3, 1.3731693765509461125e4,
                                                 4.5921953931549871457e4, 6.7265770927008700853e4,
                                                 3.3430575583588128105e4, 2.5090809287301226727e3};
  constexpr std::array<double, 8> middle_under = {1.0,
                                                  4.2313330701600911252e1,
                                                  6.8718700749205790830e2,
                                                  5.3941960214247511077e3,
                                                  2.1213794301586595867e4,
                                                  3.9307895800092710610e4,
                                                  2.8729085735721942674e4,
                                                  5.2264952788528545610e3};
  constexpr std::array<double, 8> near_over = {1.42343711074968357734e0,  4.63033784615654529590e0,
                                               5.76949722146069140550e0,  3.64784832476320460504e0,
                                               1.27045825245236838258e0,  2.41780725177450611770e-1,
                                               2.27238449892691845833e-2, 7.74545014278341407640e-4};
  constexpr std::array<double, 8> near_under = {1.0,
                                                2.05319162663775882187e0,
                                                1.67638483018380384940e0,
                                                6.89767334985100004550e-1,
                                                1.48103976427480074590e-1,
                                                1.51986665636164571966e-2,
                                                5.47593808499534494600e-4,
                                                1.05075007164441684324e-9};
  constexpr std::array<double, 8> far_over = {6.65790464350110377720e0,  5.46378491116411436990e0,
                                              1.78482653991729133580e0,  2.96560571828504891230e-1,
                                              2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                              2.71155556874348757815e-5, 2.01033439929228813265e-7};
  constexpr std::array<double, 8> far_under = {1.0,
                                               5.99832206555887937690e-1,
                                               1.36929880922735805310e-1,
                                               1.48753612908506148525e-2,
                                               7.86869131145613259100e-4,
                                               1.84631831751005468180e-5,
                                               1.42151175831644588870e-7,
                                               2.04426310338993978564e-15};
  const double q = u - 0.5;
  if (std::fabs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * series(middle_over, r) / series(middle_under, r);
  }
  const double r = std::sqrt(-portable_log(q < 0 ? u : 1 - u));
  const double value = r <= 5 ? series(near_over, r - 1.6) / series(near_under, r - 1.6)
                              : series(far_over, r - 5) / series(far_under, r - 5);
  return q < 0 ? -value : value;
}

}  // namespace rehearse
