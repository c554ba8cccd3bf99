// SPDX-License-Identifier: MIT
//
// From the races that an exploration met to two executions each, and to what is told of them.
//
// An execution is one that ends well: that nothing but an error follows is what findings say. Of each side the first
// of a few such executions is taken.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "mc/explore.hpp"
#include "mc/reduction/race.hpp"
#include "mc/verdict/examiner.hpp"

namespace rehearse::mc {

class RaceReporter {
 public:
  // goes_on: asked now and then; when it says no, nothing more is told.
  RaceReporter(Program& program, History& history, const ExploreOptions& options, Examiner& examiner,
              std::function<bool()> goes_on)
      : program_(program), history_(history), options_(options), examiner_(examiner), goes_on_(std::move(goes_on)) {}

  // One finding, or what else is told, for each place in the program, whoever comes there.
  std::vector<Finding> report(const std::vector<Race>& races);

 private:
  using Look = std::function<void(const Graph&)>;
  bool find_execution(const Race& race, const Path& path, const Look& look);
  bool find_sides(const Race& race, Difference& difference);
  Difference::Side side_of(const Graph& graph, const Race& race);
  Location where_taken(const Graph& graph, const Race& race);

  Program& program_;
  History& history_;
  const ExploreOptions& options_;
  Examiner& examiner_;
  std::function<bool()> goes_on_;
};

}  // namespace rehearse::mc
