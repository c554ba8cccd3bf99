// SPDX-License-Identifier: MIT
//
// The lines that proof files of all nets have in common (docs/proofs.md): questions with their refutations.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mc/flow/row_name.hpp"
#include "mc/flow/solver.hpp"

namespace rehearse::mc::flow {

// What a refutation is about.
struct Names {
  std::span<const RowName> rows;           // of the system
  std::span<const RowName> question_rows;  // the further rows of the question
  std::function<std::string(Variable)> variable;
};

// The words about a net in its first line.
std::string label_of(bool sends_wait, bool all_members_wait);

class ProofText {
 public:
  // failure: a point and a message (or no_element); deadlock: points; loss: messages. deadlock_after: as deadlock,
  // where no rank stands at a point of an earlier question of these two kinds.
  enum class Kind : std::uint8_t { failure, deadlock, deadlock_after, loss };
  using Elements = std::vector<std::uint32_t>;
  static constexpr std::uint32_t no_element = ~std::uint32_t{0};

  const std::string& text() const { return text_; }

  // The first lines of a net. `label`: a few words about it.
  void begin_net(std::string_view label, std::uint32_t ranks);
  void word(std::string_view word);
  void number(std::uint64_t number);
  void number_or_none(std::uint32_t number);
  void remark(std::string_view text);  // as words of this line
  void end_line() { text_ += '\n'; }

  // A question that is refuted.
  void add(Kind kind, const Elements& elements, const Names& names, const Refutation& refutation);

 private:
  void write(const Names& names, const Refutation& refutation);

  std::string text_;
};

}  // namespace rehearse::mc::flow
