// SPDX-License-Identifier: MIT
//
// See bandwidth_fit.hpp.
#include "app/last_mile/bandwidth_fit.hpp"

#include <algorithm>
#include <cmath>

#include "app/calibration/size_points.hpp"
#include "app/last_mile/minimum_fit.hpp"

namespace rehearse::app {
namespace {

constexpr double errors_of_a_bound = 3;  // typical errors that a link must explain to be more than a bound
constexpr double error_min = 5e-3;       // of the typical error: with few pairs, the fit is better than the data
constexpr double error_max = 0.1;        // of the typical error: a model that does not fit should not become worse
constexpr std::size_t starts_max = 100, terms_of_starts = 40'000;  // of all random starts together

// The median absolute error of the terms that the variables do not fit exactly anyway.
double typical_error(const std::vector<MinimumTerm>& terms, const MinimumFit& fit) {
  std::size_t variables = 0;
  for (std::uint32_t v = 0; v < fit.values().size(); ++v) variables += fit.has_terms(v);
  if (variables >= terms.size()) return error_min;
  std::vector<double> errors;
  for (const MinimumTerm& term : terms) errors.push_back(fit.error(term));
  const double fitted = static_cast<double>(variables) / static_cast<double>(terms.size());
  return std::clamp(quantile(std::move(errors), fitted + (1 - fitted) / 2), error_min, error_max);
}

LinkBandwidth link_of(const MinimumFit& fit, std::uint32_t v, bool is_bound) {
  LinkBandwidth link;
  if (!fit.has_terms(v)) return link;
  const double value = fit.values()[v];
  std::vector<double> errors;
  for (const std::uint32_t i : fit.terms_of(v)) {
    const MinimumTerm& term = fit.term(i);
    ++link.pairs;
    if (value > std::min(fit.values()[term.a], fit.values()[term.b]) + 1e-12) continue;
    ++link.limiting;
    errors.push_back(fit.error(term));
  }
  link.bytes_per_second = std::exp(value);
  link.knowledge = is_bound ? Knowledge::lower_bound : Knowledge::value;
  link.spread = quantile(std::move(errors), 0.5);
  return link;
}

}  // namespace

const char* name_of(Knowledge knowledge) {
  switch (knowledge) {
    case Knowledge::not_measured: return "not measured";
    case Knowledge::lower_bound: return "lower bound";
    case Knowledge::value: break;
  }
  return "value";
}

bool BandwidthFit::can_predict(std::uint32_t from, std::uint32_t to) const {
  return up[from].knowledge != Knowledge::not_measured && down[to].knowledge != Knowledge::not_measured;
}

double BandwidthFit::predict(std::uint32_t from, std::uint32_t to) const {
  return std::min(up[from].bytes_per_second, down[to].bytes_per_second);
}

BandwidthFit fit_bandwidths(std::span<const PairValue> pairs, std::size_t hosts, bool is_symmetric) {
  const auto shift = static_cast<std::uint32_t>(is_symmetric ? 0 : hosts);
  std::vector<MinimumTerm> terms;
  for (const PairValue& pair : pairs) terms.push_back({pair.from, pair.to + shift, std::log(pair.value)});
  const std::size_t starts = std::min(starts_max, terms_of_starts / std::max<std::size_t>(1, terms.size()));
  MinimumFit fit(terms, hosts + shift, starts);
  const double clear = errors_of_a_bound * typical_error(terms, fit);
  std::vector<char> is_bound(fit.values().size(), 0);
  for (std::uint32_t v = 0; v < is_bound.size(); ++v) {
    if (!fit.has_terms(v) || fit.profile(v).rise > clear) continue;
    is_bound[v] = 1;
    fit.raise(v);
  }
  BandwidthFit result;
  result.is_symmetric = is_symmetric;
  result.least_greatest_error = fit.least_greatest_error();
  for (std::uint32_t host = 0; host < hosts; ++host) {
    result.up.push_back(link_of(fit, host, is_bound[host]));
    result.down.push_back(is_symmetric ? result.up.back() : link_of(fit, host + shift, is_bound[host + shift]));
  }
  return result;
}

}  // namespace rehearse::app
