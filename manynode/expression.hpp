// SPDX-License-Identifier: MIT
//
// Expressions of skeletons: peers, sizes and counts as functions of a rank, the number of ranks and loop counters.
//
// Grammar: numbers, r (rank), P (number of ranks), i0, i1... (loop counters, the outermost loop first), m (number of a
//          member, in sizes of collectives), names for other expressions, + - * / % ^, == != < <= > >=, and, or, not,
//          parentheses, log2 cbrt sqrt floor ceil abs (one argument), min max xor div (two), dims part (three).
//          `or` binds weakest, then `and`, `not`, comparisons, sums, products, signs; `^` binds strongest and to the
//          right.
// Values:  real numbers. `/` divides without a remainder, `floor(a / b)` is the integer quotient; `a % b` has the sign
//          of b; `a ^ b` is a power; `xor` combines the bits of two integers; div(a, b) is floor(a / b). A comparison
//          is 1 or 0. dims(N, n, k) is the k-th, from 0, of n balanced factors of N, the largest first. part(N, k, K)
//          is the size of the k-th block of N things in K blocks.
// Rounding: floor and ceil take a number within 1e-9 of an integer as that integer, because roots and quotients are
//          inexact.
// Errors:  the expression, the place of the fault (counted from 1), the accepted words.
// Threads: none.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simcore/support/result.hpp"

namespace rehearse::manynode {

class Expression {
 public:
  static constexpr std::uint32_t loops_max = 8;

  struct Variables {
    double rank = 0;
    double ranks = 1;
    double member = 0;
    std::array<double, loops_max> loops{};
  };
  // What an expression may name.
  struct Scope {
    std::uint32_t loops = 0;  // around it
    bool has_member = false;
    const std::map<std::string, Expression, std::less<>>* names = nullptr;  // null: none
  };

  Expression() : Expression(0) {}
  explicit Expression(double number);
  static Result<Expression> parse(std::string_view text, const Scope& scope);

  double value(const Variables& variables) const;
  // Of an expression without variables.
  std::optional<double> constant() const;
  bool is_number() const { return steps_.size() == 1 && steps_.front().code == Code::number; }
  double number() const { return steps_.front().number; }  // requires is_number()
  bool has_rank() const { return has_rank_; }
  bool has_loops() const { return has_loops_; }
  bool has_member() const { return has_member_; }
  const std::string& text() const { return text_; }

  // The same with this number of ranks as a number.
  Expression with_ranks(double ranks) const;

 private:
  friend class ExpressionParser;
  enum class Code : std::uint8_t {
    number,
    rank,
    ranks,
    member,
    loop,  // push
    negate,
    invert,
    log2,
    cbrt,
    sqrt,
    floor,
    ceil,
    abs,  // replace the last
    add,
    subtract,
    multiply,
    divide,
    modulo,
    power,
    min,
    max,
    xor_,
    div,  // replace the last two
    equal,
    unequal,
    less,
    at_most,
    greater,
    at_least,
    both,
    either,
    dims,
    part  // replace the last three
  };
  static constexpr std::size_t operands(Code code) {
    return code <= Code::loop ? 0 : code < Code::add ? 1 : code < Code::dims ? 2 : 3;
  }
  struct Step {
    Code code{};
    std::uint8_t loop = 0;
    double number = 0;
  };
  static double apply_one(Code code, double operand);
  static double apply_two(Code code, double left, double right);
  static double apply(Code code, const double* operands);
  void fold();

  std::string text_;
  std::vector<Step> steps_;  // in postfix order
  bool has_rank_ = false, has_ranks_ = false, has_loops_ = false, has_member_ = false;
};

// An integer that the value is, or is within 1e-6 of. Nothing: it is none, or out of range.
std::optional<std::int64_t> integer_of(double value);

}  // namespace rehearse::manynode
