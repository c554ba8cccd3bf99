// SPDX-License-Identifier: MIT
//
// Predicates over values that actors publish, as a program writes them: "busy@0 && busy@1", "sum(tokens) != 1".
//
// Text:   names of values (letters, digits, `_`, `.`) behind which @N says whose; sum(NAME), min(NAME), max(NAME) over
//         all actors that publish it; whole numbers; + - * == != < <= > >= ! && || and parentheses, with the precedence
//         of C. 0 is false, everything else is true. Numbers wrap around at 64 bits.
// Errors: parse() names the place in the text, what stands there and what was expected.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simcore/ids.hpp"
#include "simcore/support/result.hpp"

namespace rehearse {

class Predicate {
 public:
  // What it asks about.
  struct Term {
    enum class Kind : std::uint8_t { of_one, sum, min, max } kind = Kind::of_one;
    std::string name;
    ActorId actor;  // of one
  };

  static Result<Predicate> parse(std::string_view text);

  const std::vector<Term>& terms() const { return terms_; }

  // Whether it is true where values(term) are these; of each term at least one, and of one actor exactly one.
  bool holds(std::span<const std::vector<std::int64_t>> values) const;

 private:
  friend class PredicateParser;

  enum class Code : std::uint8_t {
    number,
    term,
    negate,
    invert,
    add,
    subtract,
    multiply,
    equal,
    unequal,
    less,
    at_most,
    more,
    at_least,
    both,
    either
  };
  struct Step {
    Code code;
    std::int64_t value = 0;  // a number, or which term
  };

  std::vector<Term> terms_;
  std::vector<Step> steps_;  // in the order in which a stack of values takes them
};

}  // namespace rehearse
