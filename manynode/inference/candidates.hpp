// SPDX-License-Identifier: MIT
//
// Keeps the candidates that explain all samples of a question.
#pragma once

#include <cmath>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "manynode/inference/search.hpp"

namespace rehearse::manynode::inference {

class Candidates {
 public:
  Candidates(const Vocabulary& vocabulary, const Question& question) : vocabulary_(vocabulary), question_(question) {}

  const Vocabulary& vocabulary() const { return vocabulary_; }
  const Question& question() const { return question_; }
  const Sample& first() const { return question_.samples[first_]; }
  double first_of(const Term& term) const { return term.at(vocabulary_.place(first())); }
  double value_of(const Term& term, const Sample& sample) const { return term.at(vocabulary_.place(sample)); }

  bool fits(const Term& term) const {
    for (const Sample& sample : question_.samples)
      if (!is_near(value_of(term, sample), static_cast<double>(sample.value))) return false;
    return true;
  }
  // `extra`: added to the cost of the term, for its family.
  void add(const Term& term, double extra = 0) {
    if (is_partial_) add_partial(term, extra);
    else if (fits(term)) kept_.push_back({term.cost() + extra, term});
  }
  // The cheapest first, each text once.
  std::vector<Term> take();

  // From now on, candidates that explain all samples of some members count, too; the constants of families are those
  // of this sample.
  void begin_partial(std::size_t first) {
    is_partial_ = true;
    first_ = first;
  }
  // The members that the candidate with most members explains.
  const std::set<std::uint32_t>& best_members() const { return best_members_; }

 private:
  // Quotients and powers are inexact.
  static bool is_near(double value, double wanted) { return std::abs(value - wanted) <= 1e-9 * std::abs(wanted); }

  void add_partial(const Term& term, double extra);

  const Vocabulary& vocabulary_;
  const Question& question_;
  std::vector<std::pair<double, Term>> kept_;
  bool is_partial_ = false;
  std::size_t first_ = 0;
  std::set<std::uint32_t> best_members_;
  double best_cost_ = 0;
};

void add_peers(Candidates& candidates);
void add_sizes(Candidates& candidates);

}  // namespace rehearse::manynode::inference
