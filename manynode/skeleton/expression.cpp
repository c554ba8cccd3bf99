// SPDX-License-Identifier: MIT
//
// Values of expressions.
#include "manynode/expression.hpp"

#include <algorithm>
#include <cmath>

#include "manynode/skeleton.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::manynode {

namespace {

constexpr double inexact = 1e-9;       // error of roots and quotients
constexpr double nearly = 1e-6;        // of a value that is meant as an integer
constexpr double integers_max = 9e15;  // beyond, doubles have no units
constexpr std::size_t depth_max = 64;  // of the operands of an expression

// With the sign of the divisor.
double remainder_of(double left, double right) {
  if (right == 0) return std::nan("");
  const double rest = std::fmod(left, right);
  return rest != 0 && (rest < 0) != (right < 0) ? rest + right : rest;
}

double factor_of(double ranks, double dimensions, double which) {
  const auto number = integer_of(ranks), count = integer_of(dimensions), index = integer_of(which);
  if (!number || *number < 1 || *number > 0xffffffff || !count || *count < 1 || *count > 16) return std::nan("");
  if (!index || *index < 0 || *index >= *count) return std::nan("");
  return balanced_factors(static_cast<std::uint32_t>(*number), static_cast<std::uint32_t>(*count))[*index];
}

double block_of(double things, double which, double blocks) {
  return std::floor(things * (which + 1) / blocks + inexact) - std::floor(things * which / blocks + inexact);
}

double xor_of(double left, double right) {
  const auto one = integer_of(left), other = integer_of(right);
  if (!one || !other) return std::nan("");
  return static_cast<double>(*one ^ *other);
}

}  // namespace

std::optional<std::int64_t> integer_of(double value) {
  if (!(std::fabs(value) <= integers_max)) return std::nullopt;
  const double whole = std::nearbyint(value);
  if (std::fabs(value - whole) > nearly) return std::nullopt;
  return static_cast<std::int64_t>(whole);
}

Expression::Expression(double number) : text_(fmt::format("{}", number)), steps_{{Code::number, 0, number}} {}

double Expression::apply_one(Code code, double operand) {
  switch (code) {
    case Code::negate: return -operand;
    case Code::invert: return operand == 0;
    case Code::log2: return std::log2(operand);
    case Code::cbrt: return std::cbrt(operand);
    case Code::sqrt: return std::sqrt(operand);
    case Code::floor: return std::floor(operand + inexact);
    case Code::ceil: return std::ceil(operand - inexact);
    default: return std::fabs(operand);
  }
}

double Expression::apply_two(Code code, double left, double right) {
  switch (code) {
    case Code::add: return left + right;
    case Code::subtract: return left - right;
    case Code::multiply: return left * right;
    case Code::divide: return left / right;
    case Code::modulo: return remainder_of(left, right);
    case Code::power: return std::pow(left, right);
    case Code::min: return std::min(left, right);
    case Code::max: return std::max(left, right);
    case Code::xor_: return xor_of(left, right);
    case Code::div: return std::floor(left / right + inexact);
    case Code::equal: return left == right;
    case Code::unequal: return left != right;
    case Code::less: return left < right;
    case Code::at_most: return left <= right;
    case Code::greater: return left > right;
    case Code::at_least: return left >= right;
    case Code::both: return left != 0 && right != 0;
    default: return left != 0 || right != 0;
  }
}

double Expression::apply(Code code, const double* with) {
  switch (operands(code)) {
    case 1: return apply_one(code, with[0]);
    case 2: return apply_two(code, with[0], with[1]);
    default: return code == Code::dims ? factor_of(with[0], with[1], with[2]) : block_of(with[0], with[1], with[2]);
  }
}

double Expression::value(const Variables& variables) const {
  if (steps_.size() == 1 && steps_.front().code == Code::number) return steps_.front().number;
  std::array<double, depth_max> stack;
  std::size_t depth = 0;
  for (const Step& step : steps_) {
    switch (step.code) {
      case Code::number: stack[depth++] = step.number; continue;
      case Code::rank: stack[depth++] = variables.rank; continue;
      case Code::ranks: stack[depth++] = variables.ranks; continue;
      case Code::member: stack[depth++] = variables.member; continue;
      case Code::loop: stack[depth++] = variables.loops[step.loop]; continue;
      default: break;
    }
    depth -= operands(step.code);
    stack[depth] = apply(step.code, &stack[depth]);
    ++depth;
  }
  return stack[0];
}

std::optional<double> Expression::constant() const {
  if (has_rank_ || has_ranks_ || has_loops_ || has_member_) return std::nullopt;
  return value({});
}

Expression Expression::with_ranks(double ranks) const {
  Expression bound = *this;
  for (Step& step : bound.steps_)
    if (step.code == Code::ranks) step = {Code::number, 0, ranks};
  bound.has_ranks_ = false;
  bound.fold();
  return bound;
}

// Replaces parts without variables by their values.
void Expression::fold() {
  std::vector<Step> folded;
  for (const Step& step : steps_) {
    const std::size_t count = operands(step.code);
    std::array<double, 3> numbers{};
    bool are_numbers = count > 0 && folded.size() >= count;
    for (std::size_t i = 0; are_numbers && i < count; ++i) {
      const Step& operand = folded[folded.size() - count + i];
      are_numbers = operand.code == Code::number;
      numbers[i] = operand.number;
    }
    if (are_numbers) {
      folded.resize(folded.size() - count);
      folded.push_back({Code::number, 0, apply(step.code, numbers.data())});
    } else {
      folded.push_back(step);
    }
  }
  steps_ = std::move(folded);
}

}  // namespace rehearse::manynode
