// SPDX-License-Identifier: MIT
//
// The flow equations of a net over words, and the questions that are asked about them.
//
// As those of mc/flow/equations.hpp: what every state of every execution satisfies. In addition, a step needs one of
// the writers of each word that it reads, and where an actor stands, the writers there say which steps have not
// happened.
//
// Errors: whatever the solver cannot refute counts as possible.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "mc/flow/solver.hpp"
#include "mc/flow/system.hpp"
#include "mc/footprints/word_net.hpp"

namespace rehearse::mc::footprints {

class WordEquations final : public Oracle {
 public:
  WordEquations(const WordNet& net, WordNet::GoesOn goes_on);
  ~WordEquations() override;

  bool is_possible(PointId point, MessageId message, Word word, const std::set<StepId>& writers) override;
  bool is_sum(PointId point, MessageId message, Word word, std::int64_t amount) override;

  // What cannot be excluded, in words; empty: nothing. For a net that has grown.
  std::string possible_error();

  std::uint64_t questions() const { return questions_; }

 private:
  struct Model;

  const Model& model();
  void add_balances(Model& model) const;
  void add_reads(Model& model) const;
  void forbid_takes(flow::System& system, const Model& model) const;
  void forbid_failures(flow::System& system, const Model& model) const;
  std::vector<flow::Row> facts(const Model& model, PointId point) const;
  std::vector<flow::Row> here(const Model& model, PointId point, MessageId message) const;
  std::vector<flow::Row> nobody_wrote(const Model& model, std::uint32_t actor, Word word) const;
  bool refutes(flow::Solver& solver, const flow::Question& question, std::uint32_t divisions);
  std::string possible_failure();
  std::string possible_deadlock();
  std::string possible_loss();

  const WordNet& net_;
  WordNet::GoesOn goes_on_;
  std::unique_ptr<Model> model_;
  std::uint64_t questions_ = 0;
};

}  // namespace rehearse::mc::footprints
