// SPDX-License-Identifier: MIT
//
// A formula over booleans and dates, and its solutions: the part of Z3 that predictions need.
//
// Sums are Z3's pseudo-boolean constraints. Z3 4.8.12 answers a wrong "no" with its cardinality constraints (at-most,
// at-least), so these are not used; tests/exactness compares the answers with brute force.
// Limits:  a question takes a bounded number of the solver's own steps, not of seconds, so that the answer is the same
//          on every machine.
// Errors:  is_there() tells whether the library is there; nothing else may be used without it. A failure inside of the
//          library makes the answer `unknown`.
// Ownership: a Term belongs to its Formula.
// Threads: none.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

struct _Z3_ast;
struct _Z3_context;
struct _Z3_model;
struct _Z3_solver;

namespace rehearse::mc::predict {

struct Z3;

using Term = _Z3_ast*;

enum class Reply : std::uint8_t { no, yes, unknown };

class Formula {
 public:
  // The name of the library and of the package with it, for messages.
  static constexpr const char *library = "Z3", *package = "libz3-4";
  static bool is_there();

  Formula();
  ~Formula();
  Formula(const Formula&) = delete;
  Formula& operator=(const Formula&) = delete;

  Term boolean();  // a new variable
  Term date();     // a new variable, an integer
  Term constant(bool value) const { return value ? true_ : false_; }
  Term none(Term a);  // not a
  Term all(std::span<const Term> terms);
  Term all(std::initializer_list<Term> terms) { return all(std::span(terms.begin(), terms.size())); }
  Term any(std::span<const Term> terms);
  Term any(std::initializer_list<Term> terms) { return any(std::span(terms.begin(), terms.size())); }
  Term less(Term a, Term b);  // of two dates
  Term at_most(std::span<const Term> terms, std::uint32_t most);
  Term at_least(std::span<const Term> terms, std::uint32_t least);
  // The sum of the weights of the true terms is at most `most`. The weights are positive; each is below 2^31.
  Term weighs_at_most(std::span<const Term> terms, std::span<const std::uint32_t> weights, std::uint32_t most);

  void require(Term term);
  void require_implies(Term condition, Term consequence);
  void require_same(Term a, Term b);

  // Is there a solution in which this is true? After yes, value() and number() read it, until the next question.
  Reply ask(Term assumption, std::uint32_t steps_max);
  bool value(Term boolean);
  std::int64_t number(Term date);

 private:
  void drop_model();

  const Z3& z3_;
  _Z3_context* context_;
  _Z3_solver* solver_ = nullptr;
  _Z3_model* model_ = nullptr;
  Term true_ = nullptr, false_ = nullptr;
};

}  // namespace rehearse::mc::predict
