// SPDX-License-Identifier: MIT
//
// The rows of the flow equations (equations.hpp) for one net, and their names.
//
// Steps with an objection have no variable: before the first of them, none has happened.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "mc/flow/net.hpp"
#include "mc/flow/row_name.hpp"
#include "mc/flow/system.hpp"

namespace rehearse::mc::flow {

// When an actor at a point cannot continue in the end.
struct Hold {
  enum class Kind : std::uint8_t {
    none,     // it always continues, or is over
    always,   // it waits for a message, and none that it can take is there
    any_own,  // one of these messages of its own is still there
    all_own   // all of them are
  } kind = Kind::none;
  std::vector<MessageId> own;
};
Hold hold_at(const Point& point);
bool has_ended(const Point& point);

// The row: the sum of the variables is at least, or at most, the bound.
Row at_least(const std::vector<Variable>& variables, std::int64_t bound);
Row at_most(const std::vector<Variable>& variables, std::int64_t bound);

struct NamedRow {
  Row row;
  RowName name;
};

class Model {
 public:
  // Rules that can be left out, to show in tests that each is necessary.
  struct Rules {
    bool counts_start = true;     // false: what actors send before their first wait is never there
    bool lets_sends_wait = true;  // false: no actor waits in a send
  };

  // With the balances of points and messages. The net must outlive the model, and must not change.
  Model(const Net& net, Rules rules);

  // Nobody stands where a message that is there can be taken, and whoever waits for its own sends has a reason.
  void add_deadlock();
  // All actors have ended.
  void add_ends();
  // What the counters at the point say about the messages that its actor has taken and sent when it stands there.
  std::vector<NamedRow> facts(PointId point) const;

  const System& system() const { return system_; }
  const std::vector<RowName>& names() const { return names_; }  // by row
  const std::vector<Variable>& points() const { return points_; }
  const std::vector<Variable>& messages() const { return messages_; }
  std::string name(Variable variable) const { return name_of(variable, points_.front(), points_.size()); }
  // The messages that steps at this point take, ascending. After add_deadlock().
  const std::vector<MessageId>& takeable(PointId point) const { return takeable_[point]; }

 private:
  enum class FamilyOf : std::uint8_t { points, messages, takes, holds };

  void add_variables();
  void add_balances();
  void forbid_takes();
  void add_holds();
  void add(Row row, RowName name, Family family);
  Family family(FamilyOf of, std::uint64_t first, std::uint64_t second, std::uint32_t place = 0);
  Family family_of_point(FamilyOf of, PointId id);

  const Net& net_;
  Rules rules_;
  System system_;
  std::vector<RowName> names_;
  std::vector<Variable> steps_, points_, messages_;
  std::vector<std::vector<std::uint32_t>> senders_, takers_;  // by message: steps
  std::vector<std::vector<MessageId>> takeable_;
  std::vector<std::uint32_t> distances_;  // by point: the smallest number of steps to it
  std::map<std::tuple<FamilyOf, std::uint64_t, std::uint64_t>, std::uint32_t> families_;
};

}  // namespace rehearse::mc::flow
