// SPDX-License-Identifier: MIT
//
// Draws attributes: the quantile function of a uniform number, again where the value is out of bounds.
#include "simcore/attribute_distribution.hpp"

#include <algorithm>
#include <cmath>

#include "simcore/platform/generator/number_text.hpp"
#include "simcore/support/format.hpp"
#include "simcore/support/portable_math.hpp"

namespace rehearse {

using platform::number_text;

namespace {

constexpr int draws_max = 1000;
constexpr double sigma_max = 10;

using Law = AttributeDistribution;

// What must lie within the bounds so that draws do not always fail, and its name.
struct TypicalValue {
  const char* name;
  double value;
};

TypicalValue typical(const Law::Normal& law) { return {"mean", law.mean}; }
TypicalValue typical(const Law::Exponential& law) { return {"mean", law.mean}; }
TypicalValue typical(const Law::Lognormal& law) { return {"median", law.median}; }
TypicalValue typical(const Law::Pareto& law) { return {"least value", law.least}; }

std::optional<Error> outside(const char* name, double value, const AttributeBounds& bounds) {
  if (bounds.contain(value)) return std::nullopt;
  return Error{fmt::format("{} {} given; accepted: {}", name, number_text(value), bounds.text())};
}

std::optional<Error> parameter_fault(const Law::Normal& law) {
  if (law.deviation >= 0 && std::isfinite(law.deviation)) return std::nullopt;
  return Error{"deviation " + number_text(law.deviation) + " given; accepted: from 0 on"};
}
std::optional<Error> parameter_fault(const Law::Exponential&) { return std::nullopt; }
std::optional<Error> parameter_fault(const Law::Lognormal& law) {
  if (law.sigma >= 0 && law.sigma <= sigma_max) return std::nullopt;
  return Error{fmt::format("sigma {} given; accepted: 0 to {}", number_text(law.sigma), sigma_max)};
}
std::optional<Error> parameter_fault(const Law::Pareto& law) {
  if (law.alpha >= 0.1 && law.alpha <= 1000) return std::nullopt;
  return Error{"alpha " + number_text(law.alpha) + " given; accepted: 0.1 to 1000"};
}

template <class Truncated>
std::optional<Error> law_fault(const Truncated& law, AttributeBounds bounds) {
  const TypicalValue value = typical(law);
  bounds.is_open = bounds.is_open || bounds.least == 0;
  bounds.is_whole = false;  // a mean need not be whole
  if (auto fault = outside(value.name, value.value, bounds)) return fault;
  return parameter_fault(law);
}

std::optional<Error> law_fault(const Law::Uniform& law, const AttributeBounds& bounds) {
  if (auto fault = outside("value", law.low, bounds)) return fault;
  return outside("value", law.high, bounds);
}

std::optional<Error> law_fault(const Law::List& law, const AttributeBounds& bounds) {
  for (const double value : law.values)
    if (auto fault = outside("value", value, bounds)) return fault;
  return std::nullopt;
}

double quantile(const Law::Uniform& law, double u) { return law.low + (law.high - law.low) * u; }
double quantile(const Law::Normal& law, double u) { return law.mean + law.deviation * portable_normal_quantile(u); }
double quantile(const Law::Exponential& law, double u) { return -law.mean * portable_log(u); }
double quantile(const Law::Lognormal& law, double u) {
  return law.median * portable_exp(law.sigma * portable_normal_quantile(u));
}
double quantile(const Law::Pareto& law, double u) { return law.least * portable_exp(-portable_log(u) / law.alpha); }
double quantile(const Law::List& law, double u) {
  const auto at = std::upper_bound(law.sums.begin(), law.sums.end(), u * law.sums.back());
  const auto index = static_cast<std::size_t>(at - law.sums.begin());
  return law.values[std::min(index, law.values.size() - 1)];
}

}  // namespace

bool AttributeBounds::contain(double value) const {
  return std::isfinite(value) && (is_open ? value > least : value >= least) && value <= most &&
         (!is_whole || value == std::floor(value));
}

std::string AttributeBounds::text() const {
  const std::string text = is_whole ? "whole numbers " : "";
  if (is_open) return text + "greater than " + number_text(least) + ", up to " + number_text(most);
  return text + "from " + number_text(least) + " to " + number_text(most);
}

std::optional<double> AttributeDistribution::upper_end() const {
  const Uniform* uniform = std::get_if<Uniform>(&law_);
  return uniform == nullptr ? std::nullopt : std::optional(uniform->high);
}

std::optional<Error> AttributeDistribution::fault(const AttributeBounds& bounds) const {
  return std::visit([&](const auto& law) { return law_fault(law, bounds); }, law_);
}

double AttributeDistribution::draw_once(SplitMix& random) const {
  double u = random.uniform();
  while (u == 0 && !std::holds_alternative<Uniform>(law_)) u = random.uniform();
  return std::visit([u](const auto& law) { return quantile(law, u); }, law_);
}

std::optional<double> AttributeDistribution::draw(SplitMix& random, const AttributeBounds& bounds) const {
  if (const Uniform* uniform = std::get_if<Uniform>(&law_); uniform != nullptr && bounds.is_whole)
    return uniform->low +
           static_cast<double>(random.below(static_cast<std::uint64_t>(uniform->high - uniform->low) + 1));
  for (int i = 0; i < draws_max; ++i) {
    const double value = bounds.is_whole ? std::floor(draw_once(random) + 0.5) : draw_once(random);
    if (bounds.contain(value)) return value;
  }
  return std::nullopt;
}

}  // namespace rehearse
