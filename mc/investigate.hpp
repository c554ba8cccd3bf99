// SPDX-License-Identifier: MIT
//
// Explains a finding: the fewest decisions that lead to it, the critical decision, the closest execution that ends
// well, and the steps in an order with the fewest switches between actors.
//
// A decision counts if it is a deviation. Delta debugging removes decisions; then a search over all executions with
// zero, one, two... deviations finds whether fewer suffice.
//
// Limits: a number of executions and of seconds. When one is reached, the best explanation found so far is reported.
// Order:  the explanation is a function of the program and the finding, unless the time runs out.
// Source: Zeller, Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", TSE 28 (2002), for delta debugging.
//         Emmi, Qadeer, Rakamaric, "Delay-Bounded Scheduling", POPL 2011, for bounds on deviations.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "mc/decision.hpp"
#include "mc/explore.hpp"
#include "simcore/finding.hpp"
#include "simcore/outcome.hpp"
#include "simcore/program.hpp"
#include "simcore/schedule.hpp"

namespace rehearse::mc {

struct InvestigateOptions {
  std::uint64_t max_executions = 3000;  // for each part of the explanation
  std::uint64_t max_events = 1'000'000;
  double max_seconds = 2;
};

// A step of an actor that leads to a finding.
struct StoryStep {
  enum class Kind : std::uint8_t { sends, posts, arrives, takes, answered } kind = Kind::sends;
  CallSite at;
  std::string call;             // in full, of the last steps of each actor; empty: not recorded
  std::vector<ActorId> others;  // sends: to whom; takes: from whom
  bool flag = true;             // answered
};

struct Explanation {
  Finding finding;                     // with a schedule of the fewest decisions
  std::vector<Decision> decisions;     // the fewest decisions, in the order in which they are made
  std::uint32_t decisions_before = 0;  // number of decisions of the given schedule
  bool is_fewest = false;              // no execution with fewer ends this way; false: unknown
  struct Critical {
    Decision taken, instead;
  };
  std::optional<Critical> critical;        // the last decision for which another answer permits a good end
  std::optional<Schedule> passing;         // the closest execution found that ends well
  std::vector<Decision> differences;       // its different decisions, as far as both executions have them
  bool ends_well_without_waiting = false;  // the same execution ends well if no send and no member waits
  std::uint64_t executions = 0;            // number of executions explored for the explanation
  std::vector<ActorId> involved;           // the actors on whose steps the finding depends
  std::vector<StoryStep> story;            // their steps, in an order with the fewest switches between actors
  std::uint32_t switches = 0;              // number of switches
  bool is_story_whole = true;              // false: the beginning is missing
};

// No value if the finding did not happen again. `how`: the options of the exploration; those of the search are ignored.
std::optional<Explanation> investigate(Program& program, const ExploreOptions& how, const Policy& policy,
                                       const Judge& judge, const Finding& finding, const InvestigateOptions& options);

// Whether the finding's schedule reproduces it in the program, without simulated time.
bool leads_to(Program& program, const ExploreOptions& how, const Policy& policy, const Judge& judge,
              const Finding& finding, const InvestigateOptions& options);

// The finding of a program that may have changed, from the decisions alone.
struct Found {
  std::optional<Finding> finding;     // with a schedule of this program
  std::vector<std::string> problems;  // the decisions that do not fit
};
Found find_again(Program& program, const ExploreOptions& how, const Policy& policy, const Judge& judge,
                 const Finding& finding, const std::vector<Decision>& decisions, const InvestigateOptions& options);

}  // namespace rehearse::mc
