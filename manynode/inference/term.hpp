// SPDX-License-Identifier: MIT
//
// An expression of a skeleton: a value that prints itself and computes itself for a rank.
//
// Values:  real numbers. What is not defined (a shift by a negative number) is no number, which equals nothing.
// Threads: values; they share immutable parts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rehearse::manynode::inference {

inline constexpr std::size_t most_loops = 7;  // around each other
// The number of a member, of a collective with a size for each, takes the place of one more counter.
inline constexpr std::size_t depth_of_member = most_loops, most_depth = most_loops + 1;

// Values of the names: ranks, rank, then those of the vocabulary.
struct Place {
  const double* names = nullptr;
  const std::int32_t* counters = nullptr;  // of loops, outermost first
};
inline constexpr std::size_t name_of_ranks = 0, name_of_rank = 1, first_own_name = 2;

enum class Function : std::uint8_t {
  number,
  name,
  counter,
  add,
  subtract,
  multiply,
  divide,
  modulo,
  power,
  equal,
  unequal,
  less,
  less_equal,
  greater,
  greater_equal,
  both,
  either,
  negation,
  floor,
  log2,
  minimum,
  maximum,
  exclusive_or,
  quotient,
  dims,
  part
};

class Term {
 public:
  Term(double number);
  static Term name(std::size_t index, std::string text);
  static Term counter(std::size_t depth);
  static Term make(Function function, std::vector<Term> parts);

  double at(const Place& place) const;
  const std::string& text() const { return node_->text; }
  // Grows with the length of the text.
  double cost() const { return node_->cost; }
  std::optional<double> number() const;
  bool is_number(double value) const { return number() == value; }
  // Whether a name or a counter occurs.
  bool has_name(std::size_t index) const;
  bool has_counter(std::size_t depth) const;
  bool is_comparison() const { return node_->function >= Function::equal && node_->function <= Function::negation; }

 private:
  struct Node {
    Function function = Function::number;
    double value = 0;
    std::size_t index = 0;
    std::vector<Term> parts;
    std::string text;
    double cost = 0;
    int precedence = 0;
  };
  explicit Term(std::shared_ptr<const Node> node) : node_(std::move(node)) {}
  static double compute(const Node& node, const Place& place);
  static std::string text_of(const Node& node);

  std::shared_ptr<const Node> node_;
};

Term operator+(const Term& left, const Term& right);
Term operator-(const Term& left, const Term& right);
Term operator*(const Term& left, const Term& right);
Term operator/(const Term& left, const Term& right);
Term operator%(const Term& left, const Term& right);
Term power(const Term& base, const Term& exponent);
Term exclusive_or(const Term& left, const Term& right);
Term quotient(const Term& left, const Term& right);  // rounded down
Term compare(Function how, const Term& left, const Term& right);
Term both(const Term& left, const Term& right);

}  // namespace rehearse::manynode::inference
