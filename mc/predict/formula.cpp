// SPDX-License-Identifier: MIT
//
// Calls of Z3. Terms live as long as their context.
#include "mc/predict/formula.hpp"

#include "mc/predict/z3.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::mc::predict {

namespace {

void ignore_error(Z3_context, Z3_error_code) {}  // error_code() is asked after each question

const Z3& functions() {
  const Z3* z3 = Z3::load();
  REHEARSE_ASSERT(z3 != nullptr, "the library Z3 is there");
  return *z3;
}

_Z3_context* new_context(const Z3& z3) {
  const Z3_config config = z3.make_config();
  _Z3_context* context = z3.make_context(config);
  z3.delete_config(config);
  return context;
}

}  // namespace

bool Formula::is_there() { return Z3::load() != nullptr; }

Formula::Formula() : z3_(functions()), context_(new_context(z3_)) {
  z3_.set_error_handler(context_, ignore_error);
  solver_ = z3_.make_solver(context_);
  z3_.keep_solver(context_, solver_);
  true_ = z3_.make_true(context_);
  false_ = z3_.make_false(context_);
}

Formula::~Formula() {
  drop_model();
  z3_.drop_solver(context_, solver_);
  z3_.delete_context(context_);
}

void Formula::drop_model() {
  if (model_ != nullptr) z3_.drop_model(context_, model_);
  model_ = nullptr;
}

Term Formula::boolean() { return z3_.make_variable(context_, "b", z3_.bool_sort(context_)); }
Term Formula::date() { return z3_.make_variable(context_, "t", z3_.int_sort(context_)); }

Term Formula::none(Term a) {
  if (a == true_) return false_;
  if (a == false_) return true_;
  return z3_.make_not(context_, a);
}

Term Formula::all(std::span<const Term> terms) {
  std::vector<Term> left;
  for (const Term term : terms) {
    if (term == false_) return false_;
    if (term != true_) left.push_back(term);
  }
  if (left.empty()) return true_;
  return left.size() == 1 ? left[0] : z3_.make_and(context_, static_cast<unsigned>(left.size()), left.data());
}

Term Formula::any(std::span<const Term> terms) {
  std::vector<Term> left;
  for (const Term term : terms) {
    if (term == true_) return true_;
    if (term != false_) left.push_back(term);
  }
  if (left.empty()) return false_;
  return left.size() == 1 ? left[0] : z3_.make_or(context_, static_cast<unsigned>(left.size()), left.data());
}

Term Formula::less(Term a, Term b) { return z3_.make_less(context_, a, b); }

Term Formula::weighs_at_most(std::span<const Term> terms, std::span<const std::uint32_t> weights, std::uint32_t most) {
  const std::vector<int> factors(weights.begin(), weights.end());
  return z3_.make_at_most(context_, static_cast<unsigned>(terms.size()), terms.data(), factors.data(),
                          static_cast<int>(most));
}

Term Formula::at_most(std::span<const Term> terms, std::uint32_t most) {
  if (terms.size() <= most) return true_;
  const std::vector<std::uint32_t> ones(terms.size(), 1);
  return weighs_at_most(terms, ones, most);
}

Term Formula::at_least(std::span<const Term> terms, std::uint32_t least) {
  if (least == 0) return true_;
  if (least == 1) return any(terms);
  if (terms.size() < least) return false_;
  const std::vector<int> ones(terms.size(), 1);
  return z3_.make_at_least(context_, static_cast<unsigned>(terms.size()), terms.data(), ones.data(),
                           static_cast<int>(least));
}

void Formula::require(Term term) {
  if (term != true_) z3_.require(context_, solver_, term);
}

void Formula::require_implies(Term condition, Term consequence) {
  if (condition == false_ || consequence == true_) return;
  if (condition == true_) require(consequence);
  else if (consequence == false_) require(none(condition));
  else z3_.require(context_, solver_, z3_.make_implies(context_, condition, consequence));
}

void Formula::require_same(Term a, Term b) { z3_.require(context_, solver_, z3_.make_iff(context_, a, b)); }

Reply Formula::ask(Term assumption, std::uint32_t steps_max) {
  drop_model();
  if (assumption == false_) return Reply::no;
  const Z3_params parameters = z3_.make_parameters(context_);
  z3_.keep_parameters(context_, parameters);
  z3_.set_number(context_, parameters, z3_.make_symbol(context_, "rlimit"), steps_max);
  z3_.set_parameters(context_, solver_, parameters);
  z3_.drop_parameters(context_, parameters);
  // An assumption must be a literal.
  const Term literal = boolean();
  require_implies(literal, assumption);
  const Z3_lbool answer = z3_.check(context_, solver_, 1, &literal);
  if (z3_.error_code(context_) != Z3_OK || answer == Z3_L_UNDEF) return Reply::unknown;
  if (answer == Z3_L_FALSE) return Reply::no;
  model_ = z3_.model(context_, solver_);
  if (model_ == nullptr) return Reply::unknown;
  z3_.keep_model(context_, model_);
  return Reply::yes;
}

bool Formula::value(Term boolean) {
  Term value = nullptr;
  if (model_ == nullptr || !z3_.evaluate(context_, model_, boolean, true, &value)) return false;
  return z3_.bool_value(context_, value) == Z3_L_TRUE;
}

std::int64_t Formula::number(Term date) {
  Term value = nullptr;
  std::int64_t number = 0;
  if (model_ == nullptr || !z3_.evaluate(context_, model_, date, true, &value)) return 0;
  return z3_.int_value(context_, value, &number) ? number : 0;
}

}  // namespace rehearse::mc::predict
