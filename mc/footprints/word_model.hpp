// SPDX-License-Identifier: MIT
//
// The rows of the flow equations of a net over words (word_equations.hpp), and their names.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "mc/flow/row_name.hpp"
#include "mc/flow/system.hpp"
#include "mc/footprints/word_net.hpp"

namespace rehearse::mc::footprints {

// The row: some of these variables are 1.
flow::Row at_least_one(const std::vector<flow::Variable>& variables);

// Whether the receive at the point accepts the message.
bool accepts(const WordNet& net, PointId point, MessageId message);

// The balances, and the variables in them.
class WordModel {
 public:
  explicit WordModel(const WordNet& net);

  void forbid_takes();  // nobody waits for a message that is there
  void add_holds();     // nobody waits in a send whose message was taken
  void forbid_waits();  // everybody has ended

  const flow::System& system() const { return system_; }
  const std::vector<flow::RowName>& names() const { return names_; }  // by row
  flow::Variable point(PointId id) const { return points_[id]; }
  flow::Variable message(MessageId id) const { return messages_[id]; }
  std::string name(flow::Variable variable) const { return flow::name_of(variable, points_.front(), points_.size()); }

 private:
  enum class FamilyOf : std::uint8_t { points, messages, takes };

  flow::Family family(FamilyOf of, std::uint64_t first, std::uint64_t second, std::uint32_t place);
  flow::Family family_of(FamilyOf of, const Message& message);
  static void add_to(flow::Row& row, flow::Variable step, std::int32_t factor);
  void add_balances();
  void add(flow::Row row, flow::RowName name, flow::Family family = flow::no_family);

  const WordNet& net_;
  flow::System system_;
  std::vector<flow::RowName> names_;
  std::vector<flow::Variable> steps_, points_, messages_;  // failing steps, and those that start an actor, have none
  std::map<std::tuple<FamilyOf, std::uint64_t, std::uint64_t>, std::uint32_t> families_;
  std::map<std::pair<Line, std::uint32_t>, std::uint32_t> channels_;
};

}  // namespace rehearse::mc::footprints
