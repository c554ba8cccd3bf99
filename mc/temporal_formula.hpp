// SPDX-License-Identifier: MIT
//
// Formulas of linear temporal logic (LTL) over predicates about published values: "G (requested -> F granted)".
//
// Text:   predicates (simcore/predicate.hpp; a name without `@` and a number is the value of the only actor that
//         publishes it) joined by, from weak to strong: <->, -> (to the right), ||, &&, U R W (to the right), and the
//         prefixes ! X F G; true, false, parentheses. Prefixes and U, R, W are reserved words.
// Meaning: over infinite sequences of states. X f: f holds in the next state; F f: now or later; G f: now and always;
//         f U g: g holds now or later, and f until then; f R g: g holds up to and including the first state with f,
//         or always; f W g: f U g, or always f.
// Source: Pnueli, The temporal logic of programs, FOCS 1977.
// Errors: parse() reports the place in the text, the text found there and the expected text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "simcore/predicate.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::mc {

class TemporalFormula {
 public:
  static constexpr std::size_t atoms_max = 64;
  static constexpr std::size_t nodes_max = 200;

  enum class Code : std::uint8_t { truth, atom, negate, both, either, next, until, release };
  struct Node {
    Code code = Code::truth;
    std::uint32_t first = 0;   // operand, or the index of an atom
    std::uint32_t second = 0;  // second operand
    auto operator<=>(const Node&) const = default;
  };

  static Result<TemporalFormula> parse(std::string_view text);

  // For tests: this formula over predicates that have no meaning.
  TemporalFormula(std::vector<Node> nodes, std::uint32_t root, std::size_t atoms);

  const std::vector<Node>& nodes() const { return nodes_; }  // operands before the nodes that use them
  std::uint32_t root() const { return root_; }
  const std::vector<Predicate>& atoms() const { return atoms_; }
  const std::vector<std::string>& atom_texts() const { return atom_texts_; }

 private:
  friend class TemporalParser;
  TemporalFormula() = default;

  std::vector<Node> nodes_;
  std::uint32_t root_ = 0;
  std::vector<Predicate> atoms_;
  std::vector<std::string> atom_texts_;
};

// Whether the formula holds at the beginning of the infinite word in which letters[loop_begin...] repeats. Bit i of a
// letter: atom i is true. Decides by the definition of the operators, from the inside out.
bool holds_on_lasso(const TemporalFormula& formula, const std::vector<std::uint64_t>& letters, std::size_t loop_begin);

}  // namespace rehearse::mc
