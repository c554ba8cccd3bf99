// SPDX-License-Identifier: MIT
//
// See minimum_fit.hpp.
#include "app/last_mile/minimum_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/calibration/size_points.hpp"
#include "simcore/support/random.hpp"

namespace rehearse::app {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double rounding = 1e-9;  // of sums of logarithms: smaller gains are none
// Lifting each variable takes a time of the number of variables times that of terms.
constexpr std::size_t terms_of_lifted_starts = 100, terms_of_lifted_results = 10'000;

}  // namespace

MinimumFit::MinimumFit(std::vector<MinimumTerm> terms, std::size_t variables, std::size_t starts)
    : terms_(std::move(terms)), first_(variables + 1, 0), term_(2 * terms_.size()), is_marked_(variables, 0) {
  for (const MinimumTerm& each : terms_) ++first_[each.a + 1], ++first_[each.b + 1];
  for (std::size_t v = 0; v < variables; ++v) first_[v + 1] += first_[v];
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  for (std::uint32_t i = 0; i < terms_.size(); ++i) {
    term_[next[terms_[i].a]++] = i;
    term_[next[terms_[i].b]++] = i;
  }
  const std::vector<double> greatest = quantiles(1);
  for (const MinimumTerm& each : terms_)
    radius_ = std::max(radius_, (std::min(greatest[each.a], greatest[each.b]) - each.value) / 2);
  x_ = greatest;
  best_ = infinite;
  std::vector<double> shifted = greatest;
  for (double& value : shifted) value -= radius_;
  take(std::move(shifted));
  for (const double part : {1.0, 0.75, 0.5}) take(quantiles(part));
  constexpr std::uint64_t seed = 1;
  SplitMix random(seed);
  for (std::size_t i = 0; i < starts && best_ > rounding; ++i) {
    std::vector<double> start(variables, 0);
    for (std::uint32_t v = 0; v < variables; ++v)
      if (has_terms(v)) start[v] = terms_[terms_of(v)[random.below(terms_of(v).size())]].value;
    take(std::move(start));
  }
  if (terms_.size() > terms_of_lifted_starts && terms_.size() <= terms_of_lifted_results) lift_in_turn(x_);
}

std::vector<double> MinimumFit::quantiles(double part) const {
  std::vector<double> x(first_.size() - 1, 0), values;
  for (std::uint32_t v = 0; v < x.size(); ++v) {
    values.clear();
    for (const std::uint32_t i : terms_of(v)) values.push_back(terms_[i].value);
    if (!values.empty()) x[v] = quantile(values, part);
  }
  return x;
}

double MinimumFit::error(const MinimumTerm& term) const {
  return std::abs(std::min(x_[term.a], x_[term.b]) - term.value);
}

double MinimumFit::sum_of_errors(const std::vector<double>& x) const {
  double sum = 0;
  for (const MinimumTerm& term : terms_) sum += std::abs(std::min(x[term.a], x[term.b]) - term.value);
  return sum;
}

// A term falls with x until x reaches its value or its other end, and does not change above the other end.
StepProfile MinimumFit::profile(std::uint32_t v, const std::vector<double>& x) {
  events_.clear();
  double lowest = infinite, now = 0, above = 0;
  for (const std::uint32_t i : terms_of(v)) {
    const MinimumTerm& term = terms_[i];
    const double end = other_end(term, v, x);
    if (term.value < end) {
      events_.push_back({term.value, 2});
      events_.push_back({end, -1});
    } else {
      events_.push_back({end, 1});
    }
    lowest = std::min({lowest, term.value, end});
    now += std::abs(std::min(x[v], end) - term.value);
    above += std::abs(end - term.value);
  }
  std::sort(events_.begin(), events_.end());
  double sum = 0;
  for (const std::uint32_t i : terms_of(v)) sum += std::abs(lowest - terms_[i].value);
  StepProfile result{lowest, lowest, 0, above - now};
  double least = sum, position = lowest;
  int slope = -static_cast<int>(terms_of(v).size());
  bool is_flat = true;  // from result.from on
  for (const Event& event : events_) {
    sum += slope * (event.at - position);
    position = event.at;
    slope += event.slope;
    if (sum < least - rounding) {
      least = sum;
      result.from = result.to = position;
      is_flat = true;
    } else if (is_flat && sum <= least + rounding) {
      result.to = position;
    } else {
      is_flat = false;
    }
  }
  if (is_flat) result.to = infinite;
  result.gain = now - least;
  return result;
}

bool MinimumFit::step(std::uint32_t v, std::vector<double>& x) {
  const StepProfile found = profile(v, x);
  if (found.gain <= 4 * rounding) return false;
  x[v] = std::isfinite(found.to) ? (found.from + found.to) / 2 : found.from;
  return true;
}

void MinimumFit::mark_neighbours(std::uint32_t v) {
  for (const std::uint32_t i : terms_of(v)) {
    const std::uint32_t other = terms_[i].a == v ? terms_[i].b : terms_[i].a;
    if (is_marked_[other]) continue;
    is_marked_[other] = 1;
    marked_.push_back(other);
  }
}

// Each step lowers the sum by more than the rounding, so the descent ends.
void MinimumFit::descend(std::vector<double>& x) {
  for (std::size_t i = 0; i < marked_.size(); ++i) {
    const std::uint32_t v = marked_[i];
    is_marked_[v] = 0;
    if (step(v, x)) mark_neighbours(v);
  }
  marked_.clear();
}

void MinimumFit::descend_from_all(std::vector<double>& x) {
  for (std::uint32_t v = 0; v < x.size(); ++v)
    if (has_terms(v)) {
      marked_.push_back(v);
      is_marked_[v] = 1;
    }
  descend(x);
}

void MinimumFit::lift_in_turn(std::vector<double>& x) {
  double sum = sum_of_errors(x);
  for (std::uint32_t v = 0; v < x.size(); ++v) {
    if (!has_terms(v) || profile(v, x).rise <= rounding) continue;
    std::vector<double> lifted = x;
    for (const std::uint32_t i : terms_of(v)) lifted[v] = std::max(lifted[v], other_end(terms_[i], v, x));
    mark_neighbours(v);
    descend(lifted);
    if (const double after = sum_of_errors(lifted); after < sum - 4 * rounding) {
      sum = after;
      x = std::move(lifted);
    }
  }
}

void MinimumFit::take(std::vector<double> x) {
  descend_from_all(x);
  if (terms_.size() <= terms_of_lifted_starts) lift_in_turn(x);
  const double sum = sum_of_errors(x);
  if (sum >= best_ - rounding) return;
  best_ = sum;
  x_ = std::move(x);
}

void MinimumFit::raise(std::uint32_t variable) {
  for (const std::uint32_t i : terms_of(variable))
    x_[variable] = std::max(x_[variable], other_end(terms_[i], variable, x_));
}

}  // namespace rehearse::app
