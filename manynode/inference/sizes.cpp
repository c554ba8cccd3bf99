// SPDX-License-Identifier: MIT
//
// Families of sizes and counts: multiples of powers of the number of ranks, of factors of it and of powers of two with
// a counter, the same plus a constant, rounded quotients, and parts of a number of things that blocks share.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "manynode/inference/candidates.hpp"

namespace rehearse::manynode::inference {
namespace {

constexpr std::size_t values_of_a_line = 3;  // so many different ones support a multiple plus a constant

bool is_whole(double value) { return std::abs(value - std::round(value)) < 1e-9 * std::max(1.0, std::abs(value)); }

// A factor or a divisor.
struct Scale {
  Term term;
  bool divides = false;
  double extra = 0;
};

class SizeFamilies {
 public:
  explicit SizeFamilies(Candidates& candidates)
      : candidates_(candidates), ranks_(candidates.vocabulary().ranks()), rank_(candidates.vocabulary().rank()) {}

  void add_all() {
    const std::vector<Scale> by_ranks = scales_of_ranks(), by_counter = scales_of_counters();
    for (const Scale& scale : by_ranks) add_scale(scale);
    for (const Scale& scale : by_counter) add_scale(scale);
    for (const Scale& one : by_ranks)
      for (const Scale& other : by_counter) add_product(one, other);
    if (candidates_.question().wanted == Wanted::count) add_counts();
    for (const Grid& grid : candidates_.vocabulary().grids())
      for (std::size_t k = 0; k < grid.sizes.size(); ++k) add_parts(grid.places[k], grid.sizes[k], 0);
    add_parts(rank_, ranks_, 0);
    for (const std::size_t depth : candidates_.question().counters) add_parts(Term::counter(depth), ranks_, 0.5);
  }

 private:
  double first() const { return static_cast<double>(candidates_.first().value); }

  std::vector<Scale> scales_of_ranks() const {
    std::vector<Scale> scales;
    const auto add_both = [&scales](const Term& term, double extra) {
      scales.push_back({term, false, extra});
      scales.push_back({term, true, extra});
    };
    add_both(ranks_, 0);
    add_both(ranks_ * ranks_, 0.2);
    add_both(Term::make(Function::log2, {ranks_}), 0.1);
    for (const Grid& grid : candidates_.vocabulary().grids()) {
      for (std::size_t k = 0; k < grid.sizes.size(); ++k) {
        if (grid.sizes[k].number()) continue;
        add_both(grid.sizes[k], 0);
        add_both(Term::make(Function::log2, {grid.sizes[k]}), 0.1);
        for (std::size_t other = k + 1; other < grid.sizes.size() && grid.sizes.size() > 2; ++other)
          add_both(grid.sizes[k] * grid.sizes[other], 0);
        scales.push_back({grid.places[k], false, 0.2});
        const Term behind = grid.sizes[k] - grid.places[k];
        scales.push_back({behind, false, 0.2});
      }
    }
    scales.push_back({rank_, false, 0.1});
    scales.push_back({ranks_ - rank_, false, 0.1});
    return scales;
  }

  std::vector<Scale> scales_of_counters() const {
    std::vector<Scale> scales;
    for (const std::size_t depth : candidates_.question().counters) {
      const Term counter = Term::counter(depth);
      scales.push_back({counter, false, 0});
      scales.push_back({counter + Term(1), false, 0});
      for (const double base : {2.0, 4.0, 8.0}) {
        scales.push_back({power(Term(base), counter), false, 0});
        scales.push_back({power(Term(base), counter), true, 0});
      }
    }
    return scales;
  }

  // A multiple, the same plus a constant, and the rounded quotient.
  void add_scale(const Scale& scale) {
    const double at_first = candidates_.first_of(scale.term);
    if (!std::isfinite(at_first)) return;
    if (at_first != 0) {
      const double multiple = scale.divides ? first() * at_first : first() / at_first;
      if (is_whole(multiple)) candidates_.add(scaled(Term(std::round(multiple)), scale), scale.extra);
    }
    add_line(scale, at_first);
    if (scale.divides) add_rounded(scale);
  }

  static Term scaled(const Term& term, const Scale& scale) {
    return scale.divides ? term / scale.term : term * scale.term;
  }

  void add_line(const Scale& scale, double at_first) {
    const auto value_at = [&](double value) { return scale.divides ? 1 / value : value; };
    std::set<double> values;
    double slope = 0;
    for (const Sample& sample : candidates_.question().samples) {
      const double at = candidates_.value_of(scale.term, sample);
      if (!std::isfinite(at) || (scale.divides && at == 0)) return;
      values.insert(at);
      if (at != at_first && slope == 0)
        slope = (static_cast<double>(sample.value) - first()) / (value_at(at) - value_at(at_first));
      if (values.size() >= values_of_a_line && slope != 0) break;
    }
    if (slope == 0 || (scale.divides && at_first == 0)) return;
    const double constant = first() - slope * value_at(at_first);
    if (!is_whole(slope) || !is_whole(constant) || std::round(constant) == 0) return;
    const bool is_plain = std::abs(std::round(slope)) == 1 && std::abs(std::round(constant)) <= 2;
    if (values.size() < values_of_a_line && !is_plain) return;
    const Term number(std::round(constant));
    if (slope < 0 && !scale.divides) {
      candidates_.add(number - Term(std::round(-slope)) * scale.term, scale.extra + 0.3);
      return;
    }
    candidates_.add(scaled(Term(std::round(slope)), scale) + number, scale.extra + 0.3);
  }

  void add_product(const Scale& one, const Scale& other) {
    const double at = candidates_.first_of(one.term), at_other = candidates_.first_of(other.term);
    if (!std::isfinite(at) || at == 0 || !std::isfinite(at_other) || at_other == 0) return;
    double multiple = first();
    multiple = one.divides ? multiple * at : multiple / at;
    multiple = other.divides ? multiple * at_other : multiple / at_other;
    if (!is_whole(multiple)) return;
    candidates_.add(scaled(scaled(Term(std::round(multiple)), one), other), one.extra + other.extra + 0.2);
  }

  // floor(N / n) * w
  void add_rounded(const Scale& scale) {
    const std::int64_t unit = common_divisor();
    if (unit == 0) return;
    double least = 0, most = 1e18;
    for (const Sample& sample : candidates_.question().samples) {
      const double at = candidates_.value_of(scale.term, sample);
      if (!(at > 0)) return;
      const double value = static_cast<double>(sample.value / unit);
      least = std::max(least, value * at);
      most = std::min(most, (value + 1) * at - 1);
    }
    if (least > most || std::ceil(least) > most) return;
    candidates_.add(Term(static_cast<double>(unit)) * quotient(Term(std::ceil(least)), scale.term), scale.extra + 1);
  }

  // Of communication in stages, and of loops over neighbours.
  void add_counts() {
    for (const Grid& grid : candidates_.vocabulary().grids())
      for (const Term& size : grid.sizes) {
        const Term stages = Term::make(Function::log2, {size});
        for (const double more : {1.0, 2.0, -1.0}) candidates_.add(stages + Term(more), 0.2);
      }
    const Term lowest = (exclusive_or(rank_, rank_ - Term(1)) + Term(1)) / Term(2);
    candidates_.add(Term::make(Function::log2, {lowest}), 0.3);
    const Term stages = Term::make(Function::log2, {ranks_});
    candidates_.add(Term::make(Function::floor, {stages}), 0.1);
    for (const std::size_t depth : candidates_.question().counters) {
      const Term counter = Term::counter(depth);
      for (const Term& all : {stages, ranks_}) {
        const Term behind = all - counter;
        candidates_.add(behind + Term(first() - candidates_.first_of(behind)), 0.2);
      }
    }
  }

  std::int64_t common_divisor() const {
    std::int64_t divisor = 0;
    for (const Sample& sample : candidates_.question().samples) divisor = std::gcd(divisor, sample.value);
    return divisor;
  }

  // w * (floor(N (x + 1) / n) - floor(N x / n)), and the same where the first blocks are larger. The sizes may have
  // more common factors than w.
  void add_parts(const Term& place, const Term& blocks, double extra) {
    const std::int64_t divisor = common_divisor();
    if (divisor == 0) return;
    for (std::int64_t more = 1; more <= most_common_factor; ++more)
      if (divisor % more == 0) add_parts(place, blocks, extra, divisor / more);
  }

  void add_parts(const Term& place, const Term& blocks, double extra, std::int64_t unit) {
    double least = 0, most = 1e18;
    bool varies = false;
    for (const Sample& sample : candidates_.question().samples) {
      const double number = candidates_.value_of(blocks, sample);
      if (!(number > 0)) return;
      const double value = static_cast<double>(sample.value / unit);
      least = std::max(least, (value - 1) * number + 1);
      most = std::min(most, (value + 1) * number - 1);
      varies = varies || sample.value != candidates_.first().value;
    }
    if (!varies || most - least > most_things) return;
    for (double things = std::ceil(std::max(1.0, least)); things <= most; ++things) {
      const Term all(things), factor(static_cast<double>(unit));
      const Term even = Term::make(Function::part, {all, place, blocks});
      candidates_.add(factor * even, extra + 1);
      const Term first_larger = quotient(all, blocks) + compare(Function::less, place, all % blocks);
      candidates_.add(factor * first_larger, extra + 1);
    }
  }

  static constexpr std::int64_t most_common_factor = 16;
  static constexpr double most_things = 512;

  Candidates& candidates_;
  const Term& ranks_;
  const Term& rank_;
};

}  // namespace

void add_sizes(Candidates& candidates) { SizeFamilies(candidates).add_all(); }

}  // namespace rehearse::manynode::inference
