// SPDX-License-Identifier: MIT
//
// From the races that an exploration found to two executions each, and to findings.
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

namespace rehearse::mc::verdict {

class RaceReporter {
 public:
  // goes_on: called from time to time; when it returns false, reporting stops.
  RaceReporter(Program& program, history::History& history, const ExploreOptions& options, Examiner& examiner,
               std::function<bool()> goes_on)
      : program_(program), history_(history), options_(options), examiner_(examiner), goes_on_(std::move(goes_on)) {}

  // One finding, or one group of findings, for each place in the program, whichever actor comes there.
  std::vector<Finding> report(const std::vector<reduction::Race>& races);

 private:
  using Look = std::function<void(const graph::Graph&)>;
  bool find_execution(const reduction::Race& race, const reduction::Path& path, const Look& look);
  bool find_sides(const reduction::Race& race, Difference& difference);
  Difference::Side side_of(const graph::Graph& graph, const reduction::Race& race);
  Location where_taken(const graph::Graph& graph, const reduction::Race& race);

  Program& program_;
  history::History& history_;
  const ExploreOptions& options_;
  Examiner& examiner_;
  std::function<bool()> goes_on_;
};

}  // namespace rehearse::mc::verdict
