// SPDX-License-Identifier: MIT
//
// Predicates over values that actors publish, in the notation of programs: "busy@0 && busy@1", "sum(tokens) != 1".
//
// Text:   NAME@N is the value NAME of actor N (NAME: letters, digits, `_`, `.`); sum(NAME), min(NAME), max(NAME) over
//         all actors that publish it; whole numbers; + - * == != < <= > >= ! && || and parentheses, with the precedence
//         of C. 0 is false, everything else is true. Numbers wrap around at 64 bits.
// Errors: parse() reports the place in the text, the text found there and the expected text.
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
  // A value, or several values, that the predicate names.
  struct Term {
    enum class Kind : std::uint8_t { of_one, of_only, sum, min, max } kind = Kind::of_one;
    std::string name;
    ActorId actor;  // of one
  };

  // `alone`: NAME without `@` is accepted, too. It is the value of the only actor that publishes it.
  enum class Names : std::uint8_t { with_actor, alone };
  static Result<Predicate> parse(std::string_view text, Names names = Names::with_actor);

  const std::vector<Term>& terms() const { return terms_; }

  // Whether it is true for these values by term. Each term has at least one value, a term of one actor exactly
  // one.
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
    std::int64_t value = 0;  // a number, or the index of a term
  };

  std::vector<Term> terms_;
  std::vector<Step> steps_;  // in postfix order
};

}  // namespace rehearse
