// SPDX-License-Identifier: MIT
//
// The checking driver: visits every class of legal executions of a Program and lets a Judge look at how each ends.
//
// Two executions are of one class when every actor observed the same. Which classes are legal depends on a Policy
// (which sends wait for their receive, which members of a collective wait for which); the exploration itself runs
// without any such waiting, and each execution found is then replayed under every policy asked for (docs/soundness.md
// says why nothing is lost).
//
// Errors:  what the program does wrong is a Finding; what could not be explored is a reason.
// Threads: none; explore() calls back on the caller's thread. With several jobs the judge, and the program, are run in
//          processes forked from this one; all other callbacks come in this one.
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
  std::uint64_t site = 0;          // Program::site; 0: not known
  std::uint32_t operation = 0;     // index of the kind of Operation
  bool of_any_source = false;      // it may take messages of any actor
  std::uint64_t executions = 0;    // that were reached by another answer there
};

struct Verdict {
  std::uint64_t executions = 0;        // classes of the first policy: completed and blocked
  std::uint64_t walks = 0;             // of a random search: how many were made; several may be of one class
  std::uint64_t blocked = 0;
  std::uint64_t fingerprint = 0;       // of the classes counted: equal if they are the same
  std::uint64_t duplicates = 0;        // executions explored although their class (odpor: their order) was known
  std::uint64_t operations = 0;        // events of the exploration
  std::uint64_t application_runs = 0;  // times an actor's code ran from one Operation to the next
  std::uint64_t peak_bytes = 0;        // of memory, of all processes, about
  bool exhaustive = true;
  std::vector<std::string> reasons;    // why not exhaustive, each naming what lifts it
  // What the answer rests on although everything else was explored: fairness of polls, where it left answers out.
  std::vector<std::string> assumptions;
  std::vector<Finding> findings;       // one per cause, in the order found
  std::vector<Branching> branchings;   // those that lead to most executions, most first; by Reduction::matching
  std::uint64_t branched = 0;          // executions that were reached by another answer anywhere
  std::optional<Costs> costs;          // of executions that ended, where somebody asks
};

Verdict explore(Program& program, const ExploreOptions& options, const Judge& judge);

}  // namespace rehearse::mc
