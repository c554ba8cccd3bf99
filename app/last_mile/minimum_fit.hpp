// SPDX-License-Identifier: MIT
//
// Fits minima: finds x so that min(x a, x b) is near to the measured value of each term. Values are logarithms, so
// errors are logarithmic.
//
// Objective: the least sum of absolute errors, which outliers hardly change. To find it is NP-hard: with two different
//            values it is the approximation of a binary matrix by a product of two binary vectors, which contains the
//            largest biclique by edges (Peeters, The maximum edge biclique problem is NP-complete, Discrete Applied
//            Mathematics 131, 2003).
// Method:    exact steps in one variable at a time (the objective is then piecewise linear, with its breakpoints at the
//            measured values and at the other ends of the terms), from several starts: the exact solution for the
//            greatest error, quantiles of the terms of each variable, and random ones. If no step improves the result,
//            variables are lifted out of the way in turn, and kept so if this leads to a better result.
// Greatest error: has an exact solution. With M v, the greatest value of the terms of v, no x has a greatest error
// below
//            r = max over the terms of (min(M a, M b) - value) / 2, and x v = M v - r has this error. For each
//            variable, x v >= M v - e is necessary for errors up to e; the least x that meets this is the best for the
//            upper bounds.
// Determinism: the same terms give the same result.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace rehearse::app {

struct MinimumTerm {
  std::uint32_t a = 0, b = 0;  // different
  double value = 0;
};

// The objective as a function of one variable, the others being fixed.
struct StepProfile {
  double from = 0, to = 0;  // values with the least sum of errors; `to` is infinite if any larger value is as good
  double gain = 0;          // by which the sum is above the least one now
  double rise = 0;          // by which it would rise if the variable were infinite
};

class MinimumFit {
 public:
  // `starts`: random ones beside the others.
  MinimumFit(std::vector<MinimumTerm> terms, std::size_t variables, std::size_t starts);

  const std::vector<double>& values() const { return x_; }  // of a variable without terms: 0
  bool has_terms(std::uint32_t variable) const { return first_[variable] < first_[variable + 1]; }
  double sum_of_errors() const { return sum_of_errors(x_); }
  double least_greatest_error() const { return radius_; }
  // The terms of a variable, by index.
  std::span<const std::uint32_t> terms_of(std::uint32_t variable) const {
    return std::span(term_).subspan(first_[variable], first_[variable + 1] - first_[variable]);
  }
  const MinimumTerm& term(std::uint32_t index) const { return terms_[index]; }
  double error(const MinimumTerm& term) const;
  StepProfile profile(std::uint32_t variable) { return profile(variable, x_); }
  // Raises a variable that limits no term clearly to the largest value of the other ends of its terms.
  void raise(std::uint32_t variable);

 private:
  struct Event {
    double at = 0;
    int slope = 0;  // change of it
    bool operator<(const Event& other) const { return at < other.at; }
  };
  double other_end(const MinimumTerm& term, std::uint32_t v, const std::vector<double>& x) const {
    return x[term.a == v ? term.b : term.a];
  }
  double sum_of_errors(const std::vector<double>& x) const;
  StepProfile profile(std::uint32_t v, const std::vector<double>& x);
  bool step(std::uint32_t v, std::vector<double>& x);
  void mark_neighbours(std::uint32_t v);
  void descend(std::vector<double>& x);  // from the marked variables
  void descend_from_all(std::vector<double>& x);
  void lift_in_turn(std::vector<double>& x);
  void take(std::vector<double> start);
  std::vector<double> quantiles(double part) const;

  std::vector<MinimumTerm> terms_;
  std::vector<std::size_t> first_;
  std::vector<std::uint32_t> term_;
  double radius_ = 0;
  std::vector<double> x_;
  double best_ = 0;
  std::vector<char> is_marked_;
  std::vector<std::uint32_t> marked_;
  std::vector<Event> events_;  // memory of profile()
};

}  // namespace rehearse::app
