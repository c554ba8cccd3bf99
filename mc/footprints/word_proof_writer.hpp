// SPDX-License-Identifier: MIT
//
// Writes a proof over words as text, in the format of docs/proofs.md: the net without what its points say about words,
// and for each question why it has no solution.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "mc/flow/proof_text.hpp"
#include "mc/footprints/word_model.hpp"
#include "mc/footprints/word_net.hpp"

namespace rehearse::mc::footprints {

// Whether the format can hold the net: no step sends a message of a group, and no steps lead back to a point.
bool can_be_written(const WordNet& net);

class WordProofWriter {
 public:
  using Kind = flow::ProofText::Kind;
  using Elements = flow::ProofText::Elements;

  // A net and its questions follow. `label`: a few words about it, in one line.
  void begin(const WordNet& net, std::string_view label);
  void add(Kind kind, const Elements& elements, const WordModel& model, const flow::Refutation& refutation);

  const std::string& text() const { return out_.text(); }

 private:
  using Channel = std::pair<Line, std::uint32_t>;  // and destination

  void write_messages(const WordNet& net);
  void write_point(const Point& point);
  void write_step(const WordNet& net, const Step& step);
  void write_accepted(const WordNet& net);

  flow::ProofText out_;
};

}  // namespace rehearse::mc::footprints
