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
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "mc/costs.hpp"
#include "simcore/difference.hpp"
#include "simcore/finding.hpp"
#include "simcore/given_up.hpp"
#include "simcore/global_state.hpp"
#include "simcore/outcome.hpp"
#include "simcore/program.hpp"
#include "simcore/reservations.hpp"
#include "simcore/schedule.hpp"

namespace rehearse::mc {

constexpr std::uint32_t jobs_max = 256;  // processes that explore together

// matching: one execution per class, by receives-from exploration. odpor: one per order of dependent steps. none: every
// interleaving, as a judge of the others.
enum class Reduction { matching, odpor, none };

// depth_first: until all is visited. random: a number of executions in which chance chooses; never exhaustive.
// bounded: depth-first, first the executions in which no decision goes another way than the first that is tried, then
// those in which one does, and so on.
enum class Search { depth_first, random, bounded };

struct Policy {
  static constexpr std::uint64_t infinite = std::numeric_limits<std::uint64_t>::max();
  // A standard send completes at once while the unmatched payload from its actor to its destination, itself included,
  // is at most this; otherwise when matched or when there is room.
  std::uint64_t eager_bytes = infinite;
  // Every member of a collective waits for every other; otherwise only for those whose data it needs.
  bool synchronising = false;
  bool operator==(const Policy&) const = default;
};

// "infinite", "zero", "eager:4096"; with "+synchronising" behind it where that is set.
std::string to_text(const Policy& policy);

struct Progress {
  std::uint64_t executions = 0;
  std::uint64_t operations = 0;
  double seconds = 0;
  double fraction = 0;  // done of all that there is to explore, about; 0: not known
};

struct ExploreOptions {
  Reduction reduction = Reduction::matching;
  Search search = Search::depth_first;        // others: with Reduction::matching only
  std::uint64_t walks = 0;                    // of a random search: how many executions
  std::uint64_t seed = 1;                     // of a random search
  std::uint32_t turns = 0;                    // of a bounded search: decisions that may go another way than the first
  std::vector<Policy> policies = {Policy{}};  // not empty, at most 31; the first is the one whose classes are counted
  bool all_findings = false;                  // otherwise stop `grace_executions` executions after the first error
  std::uint64_t grace_executions = 5000;
  std::uint64_t max_executions = std::numeric_limits<std::uint64_t>::max();
  double max_seconds = std::numeric_limits<double>::infinity();
  std::uint64_t max_history_bytes = std::uint64_t{96} << 20;  // of what is remembered of actors; more if it must be
  std::uint64_t max_bytes = std::numeric_limits<std::uint64_t>::max();  // of memory, of all processes
  // An actor that goes on for longer with operations that concern nobody else fails.
  double max_step_seconds = std::numeric_limits<double>::infinity();
  // Called in each process before it runs actors, with what says whether it is to end; empty: not.
  std::function<void(const GivesUp&)> prepare;
  std::function<Reservations()> reservations;  // of what actors did in this process; empty: none
  // Whether it is looked for what an actor writes, sends, or says to be its result otherwise than in the first
  // execution; for Reduction::matching.
  bool same_output = false, same_sends = false, same_results = false;
  // Whether it is looked for places where messages of different actors may be taken; by Reduction::matching, and not
  // in a random search.
  bool find_races = false;
  TellDifference tell_difference;  // of all these; needed where any of them is asked for
  TellState tell_state;            // of states that predicates of the program speak against; empty: they are not judged
  // What an execution costs that ends under the first policy, asked of each in the process that explores it; empty:
  // nobody asks.
  std::function<Price(const Schedule&)> price;
  std::uint32_t polls = 1;  // consecutive "no" answers at one place before the actor must wait for a change
  // Processes that explore, at most jobs_max; one: this one, and no other. Of a depth-first exploration by matching.
  // The verdict is the same for any number, but for `application_runs` and `peak_bytes`, and where it rests on time.
  std::uint32_t jobs = 1;
  bool apart = false;                 // only processes other than this one run actors, as far as they can be had
  double alone_seconds = 0.02;        // no sooner are others started
  double undivided_seconds = 0.0002;  // no sooner is a part of the exploration divided
  std::function<bool()> interrupted;               // asked now and then; empty: never
  std::function<void(const Progress&)> progress;   // called a few times a second; empty: not at all
};

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
