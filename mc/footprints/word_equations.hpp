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
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "mc/flow/solver.hpp"
#include "mc/flow/system.hpp"
#include "mc/footprints/word_net.hpp"

namespace rehearse::mc::footprints {

// The balances, and the variables in them.
class WordModel {
 public:
  explicit WordModel(const WordNet& net);

  void forbid_takes();  // nobody waits for a message that is there
  void add_holds();     // nobody waits in a send whose message was taken
  void forbid_waits();  // everybody has ended

  const flow::System& system() const { return system_; }
  flow::Variable point(PointId id) const { return points_[id]; }
  flow::Variable message(MessageId id) const { return messages_[id]; }
  const std::vector<flow::Variable>& messages() const { return messages_; }

 private:
  enum class FamilyOf : std::uint8_t { points, messages, takes };

  flow::Family family(FamilyOf of, std::uint64_t first, std::uint64_t second, std::uint32_t place);
  flow::Family family_of(FamilyOf of, const Message& message);
  static void add_to(flow::Row& row, flow::Variable step, std::int32_t factor);
  void add_balances();

  const WordNet& net_;
  flow::System system_;
  std::vector<flow::Variable> steps_, points_, messages_;  // failing steps, and those that start an actor, have none
  std::map<std::tuple<FamilyOf, std::uint64_t, std::uint64_t>, std::uint32_t> families_;
  std::map<std::pair<Line, std::uint32_t>, std::uint32_t> channels_;
};

class WordEquations {
 public:
  // The net must not grow any more.
  WordEquations(const WordNet& net, WordNet::GoesOn goes_on) : net_(net), goes_on_(std::move(goes_on)) {}

  // What cannot be excluded, in words; empty: nothing, so there is no error.
  std::string possible_error();

  std::uint64_t equations() const { return equations_; }  // of the largest system
  std::uint64_t questions() const { return questions_; }

 private:
  std::string possible_failure();
  std::string possible_deadlock();
  std::string possible_loss();
  bool excludes_all(flow::Solver& solver, std::vector<flow::Variable> left);
  void count(const WordModel& model, const flow::Solver& solver);

  const WordNet& net_;
  WordNet::GoesOn goes_on_;
  std::uint64_t equations_ = 0, questions_ = 0;
};

}  // namespace rehearse::mc::footprints
