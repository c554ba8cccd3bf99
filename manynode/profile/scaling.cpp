// SPDX-License-Identifier: MIT
//
// Laws of scaling: a + b f(P), with the term f that predicts sizes that were left out best.
#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "manynode/analysis.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::manynode {
namespace {

struct ScalingTerm {
  std::string_view name;
  double (*value)(double ranks);
};

constexpr std::array<ScalingTerm, 8> scaling_terms = {{{"1", [](double) { return 0.0; }},
                                                       {"log2(P)", [](double p) { return std::log2(p); }},
                                                       {"P^(-1/3)", [](double p) { return 1 / std::cbrt(p); }},
                                                       {"P^(-1/2)", [](double p) { return 1 / std::sqrt(p); }},
                                                       {"P^(-1)", [](double p) { return 1 / p; }},
                                                       {"P^(1/3)", [](double p) { return std::cbrt(p); }},
                                                       {"P^(1/2)", [](double p) { return std::sqrt(p); }},
                                                       {"P", [](double p) { return p; }}}};

// "1" is to be kept unless another term is better by this factor.
constexpr double least_gain = 1.1;

struct FittedLine {
  double constant = 0, slope = 0;
};

// Least squares over all sizes but this one; 0: over all.
FittedLine fit_line(const ScalingTerm& term, std::span<const SizedValue> values, std::uint32_t left_out) {
  double count = 0, mean_x = 0, mean_y = 0, square = 0, product = 0;
  for (const SizedValue& each : values) {
    if (each.ranks == left_out) continue;
    count += 1;
    mean_x += term.value(each.ranks);
    mean_y += each.value;
  }
  mean_x /= count;
  mean_y /= count;
  for (const SizedValue& each : values) {
    if (each.ranks == left_out) continue;
    const double x = term.value(each.ranks) - mean_x;
    square += x * x;
    product += x * (each.value - mean_y);
  }
  const double slope = square > 0 ? product / square : 0;
  return {mean_y - slope * mean_x, slope};
}

// The sum of the squares of relative errors, each size predicted by the others.
double error_of(const ScalingTerm& term, std::span<const SizedValue> values, const std::set<std::uint32_t>& sizes) {
  double error = 0;
  for (const std::uint32_t size : sizes) {
    const FittedLine line = fit_line(term, values, size);
    for (const SizedValue& each : values) {
      if (each.ranks != size) continue;
      const double relative = (line.constant + line.slope * term.value(each.ranks)) / each.value - 1;
      error += relative * relative;
    }
  }
  return error;
}

}  // namespace

double ScalingFit::at(double ranks) const {
  const auto found = std::ranges::find(scaling_terms, term, &ScalingTerm::name);
  REHEARSE_ASSERT(found != scaling_terms.end(), "a term of scaling without a name");
  return constant + slope * found->value(ranks);
}

bool ScalingFit::is_term(std::string_view name) {
  return std::ranges::find(scaling_terms, name, &ScalingTerm::name) != scaling_terms.end();
}

ScalingFit fit_scaling(std::span<const SizedValue> values) {
  std::set<std::uint32_t> sizes;
  for (const SizedValue& each : values) sizes.insert(each.ranks);
  REHEARSE_ASSERT(sizes.size() >= 3, "a law of scaling of less than three sizes");
  const ScalingTerm* best = nullptr;
  double least = 0;
  for (const ScalingTerm& term : scaling_terms) {
    const double error = error_of(term, values, sizes);
    if (best == nullptr || error < least) {
      best = &term;
      least = error;
    }
  }
  if (error_of(scaling_terms[0], values, sizes) <= least_gain * least) best = &scaling_terms[0];
  const FittedLine line = fit_line(*best, values, 0);
  return {std::string(best->name), line.constant, line.slope, *sizes.begin(), *sizes.rbegin()};
}

}  // namespace rehearse::manynode
