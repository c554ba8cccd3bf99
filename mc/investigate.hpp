// SPDX-License-Identifier: MIT
//
// From a finding to what people want to know of it: the fewest decisions that lead there, the one that was critical,
// the closest execution that ends well, and the order of what happened with the fewest changes of actor.
//
// A decision counts if it differs from what an exploration takes first at that place. Decisions are left out by delta
// debugging; whether fewer would do is then searched for among all executions with none, one, two... of them.
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
  std::uint64_t max_executions = 3000;  // for each of its parts
  std::uint64_t max_events = 1'000'000;
  double max_seconds = 2;
};

// Something that an actor did on the way to a finding.
struct StoryStep {
  enum class Kind : std::uint8_t { sends, posts, arrives, takes, answered } kind = Kind::sends;
  CallSite at;
  std::string call;             // in full, of the last steps of each actor; empty: not recorded
  std::vector<ActorId> others;  // sends: to whom; takes: from whom
  bool flag = true;             // answered
};

struct Explanation {
  Finding finding;                    // with a schedule of the fewest decisions
  std::vector<Decision> decisions;    // these, in the order in which they are made
  std::uint32_t decisions_before = 0;  // how many the schedule had that was given
  bool is_fewest = false;             // with fewer there is no execution that ends so; false: not known
  struct Critical {
    Decision taken, instead;
  };
  std::optional<Critical> critical;   // the last decision with another answer after which all can end well
  std::optional<Schedule> passing;    // the closest execution found that ends well
  std::vector<Decision> differences;  // what it decides otherwise, as long as both can decide it
  bool ends_well_without_waiting = false;  // the same execution, where no send and no member waits
  std::uint64_t executions = 0;       // looked at for all this
  std::vector<ActorId> involved;      // whose doing the finding depends on
  std::vector<StoryStep> story;            // what they did, in an order with the fewest changes of actor
  std::uint32_t switches = 0;         // how many these are
  bool is_story_whole = true;         // its beginning was not left out
};

// Nothing where the finding did not come out again. `how`: as it was explored, see mc/explore.hpp; what concerns the
// search is not looked at.
std::optional<Explanation> investigate(Program& program, const ExploreOptions& how, const Policy& policy,
                                       const Judge& judge, const Finding& finding, const InvestigateOptions& options);

// Whether the finding's schedule leads to it in the program, without time.
bool leads_to(Program& program, const ExploreOptions& how, const Policy& policy, const Judge& judge,
              const Finding& finding, const InvestigateOptions& options);

// The finding of a program that may have changed, from the decisions alone.
struct Found {
  std::optional<Finding> finding;     // with a schedule of this program
  std::vector<std::string> problems;  // which decisions do not fit
};
Found find_again(Program& program, const ExploreOptions& how, const Policy& policy, const Judge& judge,
                 const Finding& finding, const std::vector<Decision>& decisions, const InvestigateOptions& options);

}  // namespace rehearse::mc
