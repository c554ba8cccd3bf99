// SPDX-License-Identifier: MIT
//
// See latency_fit.hpp.
#include "app/last_mile/latency_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/last_mile/sides.hpp"

namespace rehearse::app {
namespace {

constexpr double huber_constant = 1.345;  // 95 % efficiency for normal errors
constexpr double normal_consistency_of_median = 1.4826;
constexpr double change_min = 1e-13;               // of the largest value: smaller steps end the descent
constexpr std::uint64_t visits_max = 200'000'000;  // of terms, a few seconds
constexpr double rounding_of_slope = 1e-26;        // of the first one: below, conjugate gradients gain nothing
constexpr int reweightings_max = 30;

// The terms of each variable.
struct TermsByVariable {
  TermsByVariable(std::span<const SumTerm> terms, std::size_t variables)
      : first(variables + 1, 0), term(2 * terms.size()) {
    for (const SumTerm& each : terms) ++first[each.a + 1], ++first[each.b + 1];
    for (std::size_t v = 0; v < variables; ++v) first[v + 1] += first[v];
    std::vector<std::size_t> next(first.begin(), first.end() - 1);
    for (std::uint32_t i = 0; i < terms.size(); ++i) {
      term[next[terms[i].a]++] = i;
      term[next[terms[i].b]++] = i;
    }
  }
  std::vector<std::size_t> first;
  std::vector<std::uint32_t> term;
};

// Lowers the sum of squares. Long chains of hosts need as many sweeps as the square of their length, and as many
// conjugate gradients as their length.
class SumDescent {
 public:
  SumDescent(std::span<const SumTerm> terms, const TermsByVariable& of, std::vector<double>& x)
      : terms_(terms), of_(of), x_(x) {}

  bool has_time() const { return visits_ < visits_max; }

  // Some exact steps in each variable. True: they change nothing any more.
  bool sweep() {
    constexpr int sweeps = 30;
    for (int i = 0; i < sweeps; ++i) {
      double change = 0, largest = 0;
      for (std::uint32_t v = 0; v < x_.size(); ++v) step(v, change, largest);
      visits_ += of_.term.size() + 1;
      if (change <= change_min * largest) return true;
    }
    return false;
  }

  // On the variables above 0, until one of them reaches 0 (Moré, Toraldo, On the solution of large quadratic
  // programming problems with bound constraints, SIAM Journal on Optimization 1, 1991).
  void follow_conjugate_gradients() {
    std::vector<double> weights(x_.size(), 0), residual(x_.size(), 0);
    for (const SumTerm& term : terms_) {
      const double part = term.weight * (term.value - x_[term.a] - x_[term.b]);
      for (const std::uint32_t v : {term.a, term.b}) {
        weights[v] += term.weight;
        if (x_[v] > 0) residual[v] += part;
      }
    }
    std::vector<double> direction(x_.size(), 0), image;
    double before = 0, first = 0;
    for (std::size_t i = 0; i < x_.size() && has_time(); ++i) {
      double slope = 0, curvature = 0;
      for (std::size_t v = 0; v < x_.size(); ++v)
        if (residual[v] != 0) slope += residual[v] * residual[v] / weights[v];
      if (i == 0) first = slope;
      if (slope <= rounding_of_slope * first) return;
      for (std::size_t v = 0; v < x_.size(); ++v)
        if (x_[v] > 0 && weights[v] > 0)
          direction[v] = residual[v] / weights[v] + (before > 0 ? slope / before * direction[v] : 0);
      before = slope;
      image_of(direction, image);
      for (std::size_t v = 0; v < x_.size(); ++v) curvature += direction[v] * image[v];
      if (curvature <= 0) return;
      const double whole = slope / curvature, limited = std::min(whole, step_to_bound(direction));
      for (std::size_t v = 0; v < x_.size(); ++v) {
        x_[v] = std::max(0.0, x_[v] + limited * direction[v]);
        residual[v] -= limited * image[v];
      }
      if (limited < whole) return;
    }
  }

 private:
  void step(std::uint32_t v, double& change, double& largest) {
    double weights = 0, sum = 0;
    for (std::size_t i = of_.first[v]; i < of_.first[v + 1]; ++i) {
      const SumTerm& term = terms_[of_.term[i]];
      weights += term.weight;
      sum += term.weight * (term.value - x_[term.a == v ? term.b : term.a]);
    }
    if (weights <= 0) return;
    const double best = std::max(0.0, sum / weights);
    change = std::max(change, std::abs(best - x_[v]));
    largest = std::max(largest, best);
    x_[v] = best;
  }

  // The matrix of the normal equations times the direction, for the variables above 0.
  void image_of(const std::vector<double>& direction, std::vector<double>& image) {
    image.assign(x_.size(), 0);
    for (const SumTerm& term : terms_) {
      const double part = term.weight * (direction[term.a] + direction[term.b]);
      image[term.a] += part;
      image[term.b] += part;
    }
    for (std::size_t v = 0; v < x_.size(); ++v)
      if (x_[v] <= 0) image[v] = 0;
    visits_ += 2 * terms_.size();
  }

  double step_to_bound(const std::vector<double>& direction) const {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t v = 0; v < x_.size(); ++v)
      if (direction[v] < 0) least = std::min(least, -x_[v] / direction[v]);
    return least;
  }

  std::span<const SumTerm> terms_;
  const TermsByVariable& of_;
  std::vector<double>& x_;
  std::uint64_t visits_ = 0;
};

// A weight with which the squared error of the sum has the derivative of Huber's function of the logarithmic error.
double weight_of(double value, double fitted, double scale) {
  const double least = 1e-3 * value;  // below, the logarithm grows without limit
  const double at = std::max(fitted, least);
  const double error = std::log(at / value), difference = at - value;
  const double straight = std::abs(difference) < 1e-9 * value ? 1 / value : error / difference;
  const double limited = huber_constant * scale;
  return straight / at * (std::abs(error) <= limited ? 1 : limited / std::abs(error));
}

std::vector<double> logarithmic_errors(std::span<const SumTerm> terms, const std::vector<double>& x) {
  std::vector<double> errors;
  for (const SumTerm& term : terms)
    errors.push_back(std::abs(std::log(std::max(x[term.a] + x[term.b], 1e-3 * term.value) / term.value)));
  return errors;
}

// The first weights are those of relative errors.
std::vector<double> robust_sums(std::vector<SumTerm> terms, std::vector<double> x) {
  for (SumTerm& term : terms) term.weight = 1 / (term.value * term.value);
  x = least_squares_of_sums(terms, std::move(x));
  for (int round = 0; round < reweightings_max; ++round) {
    const double scale = normal_consistency_of_median * quantile(logarithmic_errors(terms, x), 0.5);
    if (scale < 1e-9) break;
    double largest = 0, change = 0;
    for (SumTerm& term : terms) term.weight = weight_of(term.value, x[term.a] + x[term.b], scale);
    const std::vector<double> before = x;
    x = least_squares_of_sums(terms, std::move(x));
    for (std::size_t i = 0; i < x.size(); ++i) {
      largest = std::max(largest, x[i]);
      change = std::max(change, std::abs(x[i] - before[i]));
    }
    if (change <= 1e-6 * largest) break;
  }
  return x;
}

// Moves the constant that the pairs do not determine to the middle of its range.
void centre(const HostGroup& group, std::vector<HostLatency>& hosts) {
  double least[2];
  for (const int side : {0, 1}) {
    least[side] = hosts[group.sides[side].front()].seconds;
    for (const std::uint32_t host : group.sides[side]) least[side] = std::min(least[side], hosts[host].seconds);
  }
  const double half_range = (least[0] + least[1]) / 2;
  for (const int side : {0, 1})
    for (const std::uint32_t host : group.sides[side]) {
      hosts[host].seconds += half_range - least[side];
      hosts[host].least = hosts[host].seconds - half_range;
      hosts[host].most = hosts[host].seconds + half_range;
    }
}

}  // namespace

std::vector<double> least_squares_of_sums(std::span<const SumTerm> terms, std::vector<double> x) {
  const TermsByVariable of(terms, x.size());
  SumDescent descent(terms, of, x);
  while (!descent.sweep() && descent.has_time()) descent.follow_conjugate_gradients();
  return x;
}

std::vector<HostLatency> fit_latencies(std::span<const PairValue> pairs, std::size_t hosts) {
  std::vector<SumTerm> terms;
  std::vector<double> start(hosts, 0);
  std::vector<HostLatency> result(hosts);
  for (const PairValue& pair : pairs) {
    terms.push_back({pair.from, pair.to, pair.value, 1});
    for (const std::uint32_t host : {pair.from, pair.to}) {
      if (result[host].pairs++ == 0 || pair.value / 2 < start[host]) start[host] = pair.value / 2;
    }
  }
  const std::vector<double> x = robust_sums(terms, start);
  for (std::size_t i = 0; i < hosts; ++i) result[i].seconds = result[i].least = result[i].most = x[i];
  for (const HostGroup& group : groups_of(pairs, hosts))
    if (group.has_two_sides) centre(group, result);
  std::vector<std::vector<double>> errors(hosts);
  const std::vector<double> all = logarithmic_errors(terms, x);
  for (std::size_t i = 0; i < terms.size(); ++i) {
    errors[terms[i].a].push_back(all[i]);
    errors[terms[i].b].push_back(all[i]);
  }
  for (std::size_t i = 0; i < hosts; ++i) result[i].spread = quantile(std::move(errors[i]), 0.5);
  return result;
}

}  // namespace rehearse::app
