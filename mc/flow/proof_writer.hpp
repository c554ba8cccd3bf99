// SPDX-License-Identifier: MIT
//
// Writes a proof by flow equations as text: the net, and for each question why it has no solution. docs/proofs.md
// describes the format; proof/ reads and checks it without any code of this folder.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mc/flow/model.hpp"
#include "mc/flow/net.hpp"
#include "mc/flow/proof_text.hpp"

namespace rehearse::mc::flow {

class ProofWriter {
 public:
  using Kind = ProofText::Kind;
  using Elements = ProofText::Elements;

  // A net and its questions follow. `label`: a few words about it, in one line.
  void begin(const Net& net, std::string_view label);
  void add(Kind kind, const Elements& elements, const Model& model, const std::vector<RowName>& question_rows,
           const Refutation& refutation);

  const std::string& text() const { return out_.text(); }

 private:
  void write_point(const Net& net, PointId id);
  void write_step(const Net& net, const Step& step);

  ProofText out_;
};

}  // namespace rehearse::mc::flow
