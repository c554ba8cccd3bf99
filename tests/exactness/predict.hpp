// SPDX-License-Identifier: MIT
//
// Do predictions from one execution find an error exactly where some interleaving has one? On random programs in which
// each actor makes the same calls whatever it receives. Of programs with branches, polls and waits for one of several
// requests: is everything that they report an end of some interleaving, and do they never call an erroneous program
// verified?
#pragma once

#include <cstdint>
#include <string>

#include "mc/predict/encoding.hpp"
#include "simcore/policy.hpp"

namespace rehearse::tests {

class PredictComparison {
 public:
  // False: a difference. The program is printed.
  bool add(std::uint64_t seed);
  bool has_pairs() const { return pairs_ > 0; }
  bool has_predictions() const { return predicted_ > 0; }  // otherwise the comparison says nothing
  void print() const;

 private:
  bool compare(const std::string& litmus, const Policy& policy, bool is_fixed);

  std::uint64_t programs_ = 0, pairs_ = 0, too_large_ = 0, with_errors_ = 0, predicted_ = 0, complete_ = 0, open_ = 0;
};

// A random program of this kind; `is_fixed`: each actor makes the same calls whatever it receives.
std::string random_course(std::uint64_t seed, bool is_fixed);

// Predictions from the first execution of a program under other rules, as negative controls.
struct RuledPrediction {
  bool is_possible = false;  // the first execution has no error, and something can match otherwise
  bool finds_error = false;
  std::uint64_t refuted = 0;  // predicted executions that do not exist, or end well
};
RuledPrediction predicted_by(const std::string& litmus, const Policy& policy, const mc::predict::Rules& rules);

// With each rule left out, some of these many programs must come out wrong. False: a rule was not needed.
bool needs_each_rule(std::uint64_t programs);

}  // namespace rehearse::tests
