// SPDX-License-Identifier: MIT
//
// Families of peers: constants, distances, bits, neighbours in grids, trees, transposition, and peers that change with
// the counter of a loop.
#include <array>
#include <cmath>

#include "manynode/inference/candidates.hpp"

namespace rehearse::manynode::inference {
namespace {

class PeerFamilies {
 public:
  explicit PeerFamilies(Candidates& candidates)
      : candidates_(candidates),
        ranks_(candidates.vocabulary().ranks()),
        rank_(candidates.vocabulary().rank()),
        first_(static_cast<double>(candidates.first().value)) {}

  void add_all() {
    add_distances();
    add_trees();
    for (const Grid& grid : candidates_.vocabulary().grids()) {
      add_neighbours(grid);
      if (grid.sizes.size() == 2) add_transposed(grid);
    }
    for (const std::size_t depth : candidates_.question().counters) {
      const Term counter = Term::counter(depth);
      add_stages(counter);
      add_rounds(counter);
      for (const Grid& grid : candidates_.vocabulary().grids()) add_lines(grid, counter);
    }
  }

 private:
  void add(const Term& term, double extra = 0) { candidates_.add(term, extra); }
  // The number that makes `term` + number the first value.
  Term rest(const Term& term) const { return Term(first_ - candidates_.first_of(term)); }

  void add_distances() {
    const Term distance = rest(rank_);
    const double ranks = candidates_.first_of(ranks_);
    add(ranks_ + rest(ranks_), 0.2);
    const double value = *distance.number();
    const auto oddity = [](double number) { return std::abs(number) > 2 ? 1.0 : 0.0; };  // rather the size of a grid
    add(rank_ + distance, oddity(value));
    for (const double turns : {0.0, ranks, -ranks})
      add((rank_ + Term(value + turns)) % ranks_, 0.2 + oddity(value + turns));
    const double bits = static_cast<double>(static_cast<std::uint64_t>(first_) ^
                                            static_cast<std::uint64_t>(candidates_.first_of(rank_)));
    if (first_ >= 0) add(exclusive_or(rank_, Term(bits)), 0.3 + oddity(bits));
    const Term mirrored = ranks_ - rank_;
    add(mirrored + rest(mirrored), 0.3);
    const Term half = ranks_ / Term(2);
    add(rank_ + half);
    add(rank_ - half);
    add((rank_ + half) % ranks_);
    add(exclusive_or(rank_, half));
  }

  void add_trees() {
    const Term one(1), two(2);
    add(quotient(rank_ - one, two));
    add(quotient(rank_, two));
    for (const double more : {0.0, 1.0, 2.0}) add(two * rank_ + Term(more));
    const Term lowest = (exclusive_or(rank_, rank_ - one) + one) / two;
    add(rank_ - lowest);
    const Term highest = power(two, Term::make(Function::floor, {Term::make(Function::log2, {rank_})}));
    add(rank_ - highest);
  }

  // All sums of at most one step in each dimension, and two steps in one.
  void add_neighbours(const Grid& grid) {
    const std::size_t dimensions = grid.sizes.size();
    std::size_t choices = 1;
    for (std::size_t k = 0; k < dimensions; ++k) choices *= 3;
    for (std::size_t choice = 1; choice < choices; ++choice) {
      std::array<int, 4> steps{};
      std::size_t rest = choice;
      for (std::size_t k = 0; k < dimensions; ++k, rest /= 3) steps[k] = std::array{0, 1, -1}[rest % 3];
      add_step(grid, steps);
    }
    for (std::size_t k = 0; k < dimensions; ++k)
      for (const int far : {2, -2}) {
        std::array<int, 4> steps{};
        steps[k] = far;
        add_step(grid, steps);
      }
  }

  void add_step(const Grid& grid, const std::array<int, 4>& steps) {
    Term open = rank_, closed = rank_;
    for (std::size_t k = 0; k < grid.sizes.size(); ++k) {
      if (steps[k] == 0) continue;
      const Term size = Term(std::abs(steps[k])) * grid.strides[k];
      open = steps[k] > 0 ? open + size : open - size;
      closed = closed + grid.strides[k] * ((grid.places[k] + Term(steps[k])) % grid.sizes[k] - grid.places[k]);
    }
    add(open, 0);
    add(closed, 0);
  }

  // Of a grid with as many rows as columns, or a multiple: NAS-95-020, the transposition of CG.
  void add_transposed(const Grid& grid) {
    const bool first_is_row = grid.strides[1].is_number(1);
    const std::size_t row = first_is_row ? 0 : 1, column = 1 - row;
    const Term& x = grid.places[column];
    const Term& y = grid.places[row];
    add(x * grid.sizes[row] + y, 0);
    const Term fold = grid.sizes[column] / grid.sizes[row];
    add(quotient(x, fold) * grid.sizes[column] + fold * y + x % fold, 0);
  }

  void add_stages(const Term& counter) {
    const Term step = power(Term(2), counter);
    const Term stages = Term::make(Function::log2, {ranks_});
    const Term back = power(Term(2), stages - Term(1) - counter);
    for (const Term& each : {step, back}) {
      add(exclusive_or(rank_, each));
      add(rank_ + each);
      add(rank_ - each);
      add((rank_ + each) % ranks_);
      add((rank_ - each) % ranks_);
    }
    const Term lowest = (exclusive_or(rank_, rank_ - Term(1)) + Term(1)) / Term(2);
    add(rank_ + lowest / (Term(2) * step));
    add(rank_ - lowest / (Term(2) * step));
  }

  void add_rounds(const Term& counter) {
    const Term one(1), next = counter + one;
    add(counter + rest(counter));
    const Term back = Term(0) - counter;
    add(Term(first_ - candidates_.first_of(back)) - counter);
    const Term last = ranks_ - counter;
    add(last + rest(last));
    add(counter + compare(Function::greater_equal, counter, rank_));
    for (const Term& each : {counter, next}) {
      add((rank_ + each) % ranks_);
      add((rank_ - each) % ranks_);
      add(exclusive_or(rank_, each), 1);  // with two passes only, powers of two are more likely
      add(rank_ + each);
      add(rank_ - each);
    }
    for (const double step : {2.0, -2.0}) {
      const Term alternating = Term(step) * counter + rank_;
      add(alternating + rest(alternating), 0.5);
    }
    add_from_two_samples(counter);
  }

  // first + step * counter, and the same with the rank.
  void add_from_two_samples(const Term& counter) {
    const double at_first = candidates_.first_of(counter);
    for (const Sample& sample : candidates_.question().samples) {
      const double at = candidates_.value_of(counter, sample);
      if (sample.member != candidates_.first().member || at == at_first) continue;
      const double step = (static_cast<double>(sample.value) - first_) / (at - at_first);
      const Term line = Term(step) * counter;
      add(line + rest(line), 0.5);
      const Term from_rank = rank_ + line;
      add(from_rank + rest(from_rank), 0.5);
      return;
    }
  }

  // The members of a line of the grid.
  void add_lines(const Grid& grid, const Term& counter) {
    for (std::size_t k = 0; k < grid.sizes.size(); ++k) {
      const Term& x = grid.places[k];
      const Term& size = grid.sizes[k];
      const Term step = power(Term(2), counter);
      const Term back = power(Term(2), Term::make(Function::log2, {size}) - Term(1) - counter);
      const Term others = counter + compare(Function::greater_equal, counter, x);
      const std::array<Term, 9> targets = {exclusive_or(x, step),
                                           exclusive_or(x, back),
                                           counter,
                                           others,
                                           (x + counter) % size,
                                           (x + counter + Term(1)) % size,
                                           (x - counter - Term(1)) % size,
                                           (x + step) % size,
                                           (x - step) % size};
      for (const Term& target : targets) add(rank_ + grid.strides[k] * (target - x), 0.5);
      const Term sideways = Term(2) * counter - Term(1);
      add(rank_ + grid.strides[k] * sideways, 0.5);
      add(rank_ - grid.strides[k] * sideways, 0.5);
    }
  }

  Candidates& candidates_;
  const Term& ranks_;
  const Term& rank_;
  double first_;
};

}  // namespace

void add_peers(Candidates& candidates) { PeerFamilies(candidates).add_all(); }

}  // namespace rehearse::manynode::inference
