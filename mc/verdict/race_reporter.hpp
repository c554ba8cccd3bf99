// SPDX-License-Identifier: MIT
//
// Makes findings from the message races that an exploration found, with an execution for each side.
//
// Both executions end well, because errors have findings of their own. Of each side, the first such execution among a
// few is taken; without one, the race is not reported.
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
  // goes_on: called at intervals; when it returns false, reporting stops.
  RaceReporter(Program& program, history::History& history, const ExploreOptions& options, Examiner& examiner,
               std::function<bool()> goes_on)
      : program_(program), history_(history), options_(options), examiner_(examiner), goes_on_(std::move(goes_on)) {}

  // The findings, merged for each place in the program: one that several actors reach is reported once.
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
