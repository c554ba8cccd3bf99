// SPDX-License-Identifier: MIT
//
// The flow equations of a net over words: the same as those of mc/flow/equations.hpp, for points that stand for sets of
// states.
//
// Of a state of all actors, a variable for each step says whether it has happened, one for each point whether its actor
// stands there, and one for each message whether it was sent and not taken. An error needs a state that satisfies more
// than the balances of points and messages. If no error has a solution, no execution has an error.
//
// Errors: whatever the solver cannot refute counts as possible.
// Source: docs/soundness.md, "Flow equations"; docs/design/exploration.md, "Footprints: nets that look into steps".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mc/flow/solver.hpp"
#include "mc/flow/system.hpp"
#include "mc/footprints/word_model.hpp"
#include "mc/footprints/word_net.hpp"
#include "mc/footprints/word_proof_writer.hpp"

namespace rehearse::mc::footprints {

class WordEquations {
 public:
  // The net must not grow any more when a question is asked. `writer` gets each refuted question that the proof needs;
  // null: nobody does.
  WordEquations(const WordNet& net, WordNet::GoesOn goes_on, WordProofWriter* writer = nullptr)
      : net_(net), goes_on_(std::move(goes_on)), writer_(writer) {}

  // What cannot be excluded, in words; empty: nothing, so there is no error.
  std::string possible_error();

  std::uint64_t equations() const { return equations_; }  // of the largest system
  std::uint64_t questions() const { return questions_; }

 private:
  using Kind = WordProofWriter::Kind;
  using Elements = WordProofWriter::Elements;
  // One of the three questions, and who answers.
  struct Part {
    Kind kind;
    const WordModel& model;
    flow::Solver solver;
  };

  std::string possible_failure();
  std::string possible_deadlock();
  std::string possible_loss();
  bool excludes_any(Part& part, const Elements& elements);
  bool excludes_all(Part& part, Elements left);
  bool note(Part& part, const Elements& elements, const std::optional<flow::Refutation>& refutation);
  void count(const Part& part);

  const WordNet& net_;
  WordNet::GoesOn goes_on_;
  WordProofWriter* writer_;
  std::uint64_t equations_ = 0, questions_ = 0;
};

}  // namespace rehearse::mc::footprints
