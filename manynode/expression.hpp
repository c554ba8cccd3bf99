// SPDX-License-Identifier: MIT
//
// Expressions of skeletons: peers, sizes and counts as functions of a rank, the number of ranks and loop counters.
//
// Grammar: numbers, r (rank), P (number of ranks), i0, i1... (loop counters, the outermost loop first), + - * / % ^,
//          == != < <= > >=, and, or, not, parentheses, log2 cbrt sqrt floor ceil abs (one argument), min max xor (two).
//          `and` and `or` bind weakest, then `not`, comparisons, sums, products, signs; `^` binds strongest and to the
//          right.
// Values:  real numbers. `/` divides without a remainder, `floor(a / b)` is the integer quotient; `a % b` has the sign
//          of b; `a ^ b` is a power; `xor` combines the bits of two integers. A comparison is 1 or 0.
// Rounding: floor and ceil take a number within 1e-9 of an integer as that integer, because roots and quotients are
//          inexact.
// Errors:  the expression, the place of the fault (counted from 1), the accepted words.
// Threads: none.
#pragma once

#include <array>
#include <cstdint>
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
    std::array<double, loops_max> loops{};
  };

  Expression() : Expression(0) {}
  explicit Expression(double number);
  // `loops`: number of loops around it, whose counters it may name.
  static Result<Expression> parse(std::string_view text, std::uint32_t loops);

  double value(const Variables& variables) const;
  // Of an expression without variables.
  std::optional<double> constant() const;
  bool has_rank() const { return has_rank_; }
  bool has_loops() const { return has_loops_; }
  const std::string& text() const { return text_; }

  // The same with this number of ranks as a number.
  Expression with_ranks(double ranks) const;

 private:
  friend class ExpressionParser;
  enum class Code : std::uint8_t {
    number, rank, ranks, loop,                                     // push
    negate, invert, log2, cbrt, sqrt, floor, ceil, abs,            // replace the last
    add, subtract, multiply, divide, modulo, power, min, max, xor_,  // replace the last two
    equal, unequal, less, at_most, greater, at_least, both, either
  };
  struct Step {
    Code code{};
    std::uint8_t loop = 0;
    double number = 0;
  };
  static double apply(Code code, double left, double right);
  static double apply(Code code, double operand);
  void fold();

  std::string text_;
  std::vector<Step> steps_;  // in postfix order
  bool has_rank_ = false, has_ranks_ = false, has_loops_ = false;
};

// An integer that the value is, or is within 1e-6 of. Nothing: it is none, or out of range.
std::optional<std::int64_t> integer_of(double value);

}  // namespace rehearse::manynode
