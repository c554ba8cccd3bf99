// SPDX-License-Identifier: MIT
//
// Searches the states of all actors for executions that never end, or that contradict a formula.
//
// Unlike explore(), it visits states, each once, in every order of steps, under one policy. A state comes again if each
// actor stands at the same operation with an equal image (simcore/state_image.hpp), and all messages and collectives
// under way are equal. The program must use the numbers of completed requests again, otherwise no state comes again.
//
// Order:   first one execution in which all doers take turns, then breadth-first. Whenever the number of states has
//          doubled, they are searched for a lasso; a lasso in a part of the states is one of all.
// Confirmed: each lasso is taken again, its loop twice, without any merging of states. All actors must come to equal
//          images before, between and after. Otherwise it is no finding, and a reason says so.
// Steps:   see mc/cycle/rules.hpp; it also has the doers of fairness.
// Errors:  a formula that is too large or ambiguous. What cannot be compared, and limits, are reasons.
// Threads: none.
// Source:  docs/design/progress.md
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "mc/fair_lasso.hpp"
#include "mc/temporal_formula.hpp"
#include "simcore/policy.hpp"
#include "simcore/program.hpp"
#include "simcore/schedule.hpp"
#include "simcore/stop_token.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::mc {

struct NamedFormula {
  std::string text;
  TemporalFormula formula;
};

struct StateSearchOptions {
  Policy policy;                       // not Policy::mixed
  std::vector<NamedFormula> formulas;  // all must hold
  bool finds_endless = false;          // an execution that never ends is searched for
  Fairness fairness = Fairness::weak;
  std::uint64_t max_states = 100'000;
  bool may_wait = false;  // executions in which actors wait forever are no reason for an incomplete answer
  StopToken stop = {};
  // A number that differs if something outside of the actors' memory has changed that they may read. Asked before,
  // between and after the rounds of a confirmed loop. Empty: there is nothing.
  std::function<std::uint64_t()> surroundings = {};
};

// One step of a confirmed lasso.
struct LassoStep {
  enum class Kind : std::uint8_t { publish, start, answer, match, notice, see } kind = Kind::start;
  ActorId actor;
  CallDescription at;  // where the actor stands: the call that starts, waits or gets its answer
  ActorId peer;        // of a match and a see: the sender; of a start of a send: the destination
  bool has_peer = false;
  bool flag = true;        // of an answer: yes or no
  std::string name;        // of a published value
  std::int64_t value = 0;  // published
};

struct FoundLasso {
  std::optional<std::size_t> formula;     // index; none: an execution that never ends
  std::vector<LassoStep> steps;           // to the state, and once from there back to it
  std::size_t loop = 0;                   // number of last steps that repeat; 0: it ends, and its last state stays
  Schedule schedule;                      // of the steps, and of the loop a second time
  std::vector<std::uint32_t> operations;  // by actor: operations that it has started after these steps
};

struct StateSearchResult {
  std::uint64_t states = 0, steps = 0;
  std::vector<FoundLasso> found;         // at most one for each formula
  std::vector<std::string> unpublished;  // by formula: a name that no actor publishes in any state; empty: none
  std::vector<std::string> reasons;      // why it is not complete; empty: it is
};

// `program` must have StateImages.
Result<StateSearchResult> search_states(Program& program, const StateSearchOptions& options);

}  // namespace rehearse::mc
