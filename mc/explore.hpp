// SPDX-License-Identifier: MIT
//
// The checking driver: visits every class of legal executions of a Program and passes the end of each to a Judge.
//
// Two executions belong to one class if every actor makes the same observations in both. The legal classes depend on a
// Policy (which sends wait for their receive, which members of a collective wait for which). The exploration itself
// runs without such waiting; each execution is then replayed under every requested policy. docs/soundness.md argues
// that nothing is missed.
//
// Errors:  a fault of the program is a Finding; a limit of the exploration is a reason.
// Threads: none; explore() calls back on the caller's thread. With several jobs, the judge and the program run
//          in processes forked from this one; all other callbacks run in this one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "mc/costs.hpp"
#include "mc/explore_options.hpp"
#include "simcore/finding.hpp"
#include "simcore/outcome.hpp"
#include "simcore/program.hpp"

namespace rehearse::mc {

// A place in the program at which executions branch: a call whose result is open.
struct Branching {
  std::uint64_t site = 0;        // Program::site; 0: not known
  std::uint32_t operation = 0;   // index of the kind of Operation
  bool of_any_source = false;    // it can take messages of any actor
  std::uint64_t executions = 0;  // reached by another answer at this place
};

// The search of merged states (Reduction::merged): it visits states instead of executions.
struct Merging {
  std::string unsupported;        // the feature because of which `matching` explored instead; empty: none
  std::uint64_t states = 0;       // visited in the last round, of all policies
  std::uint64_t local_steps = 0;  // steps of actors between two states of theirs
  std::uint64_t rounds = 0;       // of all policies
};

// A proof by flow equations (Reduction::flow and footprints), which visits no execution.
struct FlowProof {
  bool by_footprints = false;        // of steps that are known by the memory that they read and write
  std::string why_not;               // why there is no proof, so that `matching` explored; empty: there is one
  std::uint64_t local_steps = 0;     // steps of actors from one operation to the next that were run
  std::uint64_t steps = 0;           // of the nets: from one wait to the next
  std::uint64_t equations = 0;       // of the largest system of each net
  std::uint64_t questions = 0;       // to the solver
  std::uint64_t repeated_steps = 0;  // by footprints: run again with noise in the memory that they had not read
};

// The search for errors in executions that were predicted from one (Search::predict).
struct Prediction {
  std::uint64_t messages = 0, receives = 0;  // that can match in more than one way
  std::uint64_t questions = 0;               // to the solver, under all policies
  std::uint64_t confirmed = 0, refuted = 0;  // predicted executions whose replay showed an error, and the others
  std::vector<std::string> open;             // why errors may have been missed, as sentences; empty: for no reason
};

// With Strategy::counts_merges: the local histories that end where an actor waits or ends.
struct LocalHistories {
  std::uint64_t compared = 0;
  std::uint64_t mergeable = 0;  // those whose state another one has, too
};

struct Verdict {
  std::uint64_t executions = 0;  // classes of the first policy: completed and blocked
  std::uint64_t walks = 0;       // of a random search: number of walks; several may belong to one class
  std::uint64_t blocked = 0;
  std::uint64_t fingerprint = 0;       // of the counted classes: equal if the classes are the same
  std::uint64_t duplicates = 0;        // executions whose class (odpor: order) was explored before
  std::uint64_t operations = 0;        // events of the exploration
  std::uint64_t application_runs = 0;  // number of times that actor code ran from one Operation to the next
  std::uint64_t peak_bytes = 0;        // approximate peak memory of all processes
  bool exhaustive = true;
  std::vector<std::string> reasons;  // why not exhaustive; each names the option that lifts the limit
  // Conditions of a complete answer, for instance the bound on answers to polls.
  std::vector<std::string> assumptions;
  std::vector<Finding> findings;      // one per cause, in the order found
  std::vector<Branching> branchings;  // places with the most executions, in descending order; with Reduction::matching
  std::uint64_t branched = 0;         // executions reached by another answer at any place
  std::optional<LocalHistories> local_histories;
  std::optional<Merging> merging;        // with Reduction::merged; without a feature in it, `executions` means nothing
  std::optional<FlowProof> flow;         // with Reduction::flow; with a proof, `executions` means nothing
  std::optional<Prediction> prediction;  // with Search::predict
  std::optional<Costs> costs;            // of executions that ended, if Hooks::price is set
};

Verdict explore(Program& program, const ExploreOptions& options, const Judge& judge);

// Explores parts for an exploration of another process, which has these connections as Strategy::helpers and the same
// executable, program, judge and options. Runs one worker for each connection, in child processes. Returns when the
// exploration has ended. Takes over the descriptors.
void help(Program& program, const ExploreOptions& options, const Judge& judge, const std::vector<int>& coordinator);

// Why Search::predict is not possible here; empty: it is. With an obstacle, such a search ends at once and says so.
std::string obstacle_to_predictions();

}  // namespace rehearse::mc
