// SPDX-License-Identifier: MIT
//
// See term.hpp.
#include "manynode/inference/term.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "manynode/skeleton.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::manynode::inference {
namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();
constexpr double most_bits = 9007199254740992.0;  // 2^53

double xor_of(double left, double right) {
  if (!(left >= 0 && right >= 0 && left < most_bits && right < most_bits)) return no_number;
  if (left != std::floor(left) || right != std::floor(right)) return no_number;
  return static_cast<double>(static_cast<std::uint64_t>(left) ^ static_cast<std::uint64_t>(right));
}

// Quotients and roots are inexact.
double floor_of(double value) {
  const double near = std::round(value);
  return std::abs(value - near) < 1e-9 ? near : std::floor(value);
}

double modulo_of(double left, double right) {
  if (right == 0) return no_number;
  return left - right * std::floor(left / right);
}

double factor_of(double number, double factors, double place) {
  if (!(number >= 1 && number < 4294967296.0 && factors >= 1 && factors < 9 && place >= 0 && place < factors))
    return no_number;
  const auto all = balanced_factors(static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(factors));
  return all[static_cast<std::size_t>(place)];
}

double value_of(Function function, double left, double right) {
  switch (function) {
    case Function::add: return left + right;
    case Function::subtract: return left - right;
    case Function::multiply: return left * right;
    case Function::divide: return right == 0 ? no_number : left / right;
    case Function::modulo: return modulo_of(left, right);
    case Function::power: return std::pow(left, right);
    case Function::equal: return left == right;
    case Function::unequal: return left != right;
    case Function::less: return left < right;
    case Function::less_equal: return left <= right;
    case Function::greater: return left > right;
    case Function::greater_equal: return left >= right;
    case Function::both: return left != 0 && right != 0;
    case Function::either: return left != 0 || right != 0;
    case Function::minimum: return std::min(left, right);
    case Function::maximum: return std::max(left, right);
    case Function::exclusive_or: return xor_of(left, right);
    case Function::quotient: return right == 0 ? no_number : floor_of(left / right);
    default: return no_number;
  }
}

struct Spelling {
  const char* sign;
  int precedence;
};

Spelling spelling_of(Function function) {
  switch (function) {
    case Function::either: return {" or ", 1};
    case Function::both: return {" and ", 2};
    case Function::negation: return {"not ", 3};
    case Function::equal: return {" == ", 4};
    case Function::unequal: return {" != ", 4};
    case Function::less: return {" < ", 4};
    case Function::less_equal: return {" <= ", 4};
    case Function::greater: return {" > ", 4};
    case Function::greater_equal: return {" >= ", 4};
    case Function::add: return {" + ", 5};
    case Function::subtract: return {" - ", 5};
    case Function::multiply: return {" * ", 6};
    case Function::divide: return {" / ", 6};
    case Function::modulo: return {" % ", 6};
    case Function::power: return {"^", 8};
    default: return {"", 9};
  }
}

std::string text_of_number(double value) {
  if (value == std::floor(value) && std::abs(value) < most_bits)
    return std::to_string(static_cast<std::int64_t>(value));
  return fmt::format("{}", value);
}

}  // namespace

Term::Term(double number) {
  Node node;
  node.value = number;
  node.text = text_of_number(number);
  node.precedence = number < 0 ? 7 : 9;
  node.cost = number == 0 || number == 1 ? 1 : 1.5;
  node_ = std::make_shared<const Node>(std::move(node));
}

Term Term::name(std::size_t index, std::string text) {
  Node node;
  node.function = Function::name;
  node.index = index;
  node.text = std::move(text);
  node.precedence = 9;
  node.cost = index < first_own_name ? 1 : 1.8;
  return Term(std::make_shared<const Node>(std::move(node)));
}

Term Term::counter(std::size_t depth) {
  Node node;
  node.function = Function::counter;
  node.index = depth;
  node.text = depth == depth_of_member ? "m" : "i" + std::to_string(depth);
  node.precedence = 9;
  node.cost = 1.2;
  return Term(std::make_shared<const Node>(std::move(node)));
}

Term Term::make(Function function, std::vector<Term> parts) {
  Node node;
  node.function = function;
  node.cost = 1;
  for (const Term& part : parts) node.cost += part.cost();
  if (function == Function::part) node.cost -= 2;
  node.parts = std::move(parts);
  node.precedence = spelling_of(function).precedence;
  if (function == Function::part) node.precedence = spelling_of(Function::subtract).precedence;
  node.text = text_of(node);
  return Term(std::make_shared<const Node>(std::move(node)));
}

std::string Term::text_of(const Node& node) {
  const auto inner = [&](std::size_t index, int least) {
    const Node& part = *node.parts[index].node_;
    return part.precedence < least ? "(" + part.text + ")" : part.text;
  };
  const auto list = [&](const char* name) {
    std::string text = std::string(name) + "(";
    for (std::size_t i = 0; i < node.parts.size(); ++i) text += (i > 0 ? ", " : "") + node.parts[i].text();
    return text + ")";
  };
  switch (node.function) {
    case Function::floor: return list("floor");
    case Function::log2: return list("log2");
    case Function::minimum: return list("min");
    case Function::maximum: return list("max");
    case Function::exclusive_or: return list("xor");
    case Function::dims: return list("dims");
    case Function::negation: return "not " + inner(0, 4);
    case Function::quotient: return "floor(" + inner(0, 6) + " / " + inner(1, 7) + ")";
    case Function::part: {
      const std::string things = inner(0, 7), place = inner(1, 7), next = inner(1, 5), blocks = inner(2, 7);
      return "floor(" + things + " * (" + next + " + 1) / " + blocks + ") - floor(" + things + " * " + place + " / " +
             blocks + ")";
    }
    default: break;
  }
  const auto [sign, precedence] = spelling_of(node.function);
  return inner(0, precedence) + sign + inner(1, precedence + 1);
}

double Term::at(const Place& place) const { return compute(*node_, place); }

double Term::compute(const Node& node, const Place& place) {
  switch (node.function) {
    case Function::number: return node.value;
    case Function::name: return place.names[node.index];
    case Function::counter: return place.counters[node.index];
    default: break;
  }
  const double left = node.parts[0].at(place);
  switch (node.function) {
    case Function::negation: return left == 0;
    case Function::floor: return floor_of(left);
    case Function::log2: return left > 0 ? std::log2(left) : no_number;
    default: break;
  }
  const double right = node.parts[1].at(place);
  if (node.function == Function::dims) return factor_of(left, right, node.parts[2].at(place));
  if (node.function == Function::part) {
    const double blocks = node.parts[2].at(place);
    if (blocks == 0) return no_number;
    return floor_of(left * (right + 1) / blocks) - floor_of(left * right / blocks);
  }
  return value_of(node.function, left, right);
}

std::optional<double> Term::number() const {
  if (node_->function == Function::number) return node_->value;
  return std::nullopt;
}

bool Term::has_name(std::size_t index) const {
  if (node_->function == Function::name) return node_->index == index;
  return std::ranges::any_of(node_->parts, [index](const Term& part) { return part.has_name(index); });
}

bool Term::has_counter(std::size_t depth) const {
  if (node_->function == Function::counter) return node_->index == depth;
  return std::ranges::any_of(node_->parts, [depth](const Term& part) { return part.has_counter(depth); });
}

Term operator+(const Term& left, const Term& right) {
  if (right.is_number(0)) return left;
  if (left.is_number(0)) return right;
  if (const auto number = right.number(); number && *number < 0) return left - Term(-*number);
  return Term::make(Function::add, {left, right});
}

Term operator-(const Term& left, const Term& right) {
  if (const auto number = right.number(); number && *number < 0) return left + Term(-*number);
  return right.is_number(0) ? left : Term::make(Function::subtract, {left, right});
}

Term operator*(const Term& left, const Term& right) {
  if (left.is_number(1)) return right;
  return right.is_number(1) ? left : Term::make(Function::multiply, {left, right});
}

Term operator/(const Term& left, const Term& right) {
  return right.is_number(1) ? left : Term::make(Function::divide, {left, right});
}

Term operator%(const Term& left, const Term& right) { return Term::make(Function::modulo, {left, right}); }
Term power(const Term& base, const Term& exponent) { return Term::make(Function::power, {base, exponent}); }

Term exclusive_or(const Term& left, const Term& right) { return Term::make(Function::exclusive_or, {left, right}); }

Term quotient(const Term& left, const Term& right) {
  return right.is_number(1) ? left : Term::make(Function::quotient, {left, right});
}

Term compare(Function how, const Term& left, const Term& right) { return Term::make(how, {left, right}); }
Term both(const Term& left, const Term& right) { return Term::make(Function::both, {left, right}); }

}  // namespace rehearse::manynode::inference
