// SPDX-License-Identifier: MIT
//
// Writes a proof by flow equations as text: the net, and for each question why it has no solution. docs/proofs.md
// describes the format; proof/ reads and checks it without any code of this folder.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "mc/flow/model.hpp"
#include "mc/flow/net.hpp"
#include "mc/flow/solver.hpp"

namespace rehearse::mc::flow {

class ProofWriter {
 public:
  enum class Kind : std::uint8_t { failure, deadlock, loss };
  // failure: a point and a message (or no_message); deadlock: points; loss: messages.
  using Elements = std::vector<std::uint32_t>;

  // A net and its questions follow. `label`: a few words about it, in one line.
  void begin(const Net& net, std::string_view label);
  void add(Kind kind, const Elements& elements, const Model& model, const std::vector<RowName>& question_rows,
           const Refutation& refutation);

  const std::string& text() const { return text_; }

 private:
  void write_point(const Net& net, PointId id);
  void write_step(const Net& net, const Step& step);
  void write(const Model& model, const std::vector<RowName>& question_rows, const Refutation& refutation);
  void word(std::string_view word);
  void number(std::uint64_t number);
  void end_line();

  std::string text_;
};

}  // namespace rehearse::mc::flow
