// SPDX-License-Identifier: MIT
//
// What an exploration is asked: what the program may do and what is looked for (Semantics), in which order and by how
// many processes it is explored (Strategy), when it stops (Bounds), and who is called on the way (Hooks).
//
// Functions pass these structures on whole: whoever needs other options copies them and changes members, so that a new
// option cannot get lost on the way.
//
// Ownership: the options must outlive the exploration, and what Hooks capture must outlive the options.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "mc/costs.hpp"
#include "simcore/caveats.hpp"
#include "simcore/difference.hpp"
#include "simcore/global_state.hpp"
#include "simcore/schedule.hpp"
#include "simcore/stop_token.hpp"

namespace rehearse::mc {

constexpr std::uint32_t jobs_max = 256;  // processes that explore together

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

struct Semantics {
  std::vector<Policy> policies = {Policy{}};  // not empty, at most 31; the first is the one whose classes are counted
  std::uint32_t polls = 1;  // consecutive "no" answers at one place before the actor must wait for a change
  // Whether findings are made of an actor that writes, sends, or says to be its result something else than in the first
  // execution; for Reduction::matching.
  bool same_output = false, same_sends = false, same_results = false;
  // Whether findings are made of places where messages of different actors may be taken; by Reduction::matching, and
  // not in a random search.
  bool find_races = false;
};

// matching: one execution per class, by receives-from exploration. odpor: one per order of dependent steps. none: every
// interleaving, as a judge of the others.
enum class Reduction { matching, odpor, none };

// depth_first: until all is visited. random: a number of executions in which chance chooses; never exhaustive.
// bounded: depth-first, first the executions without deviations, then those with one, and so on.
enum class Search { depth_first, random, bounded };

struct Strategy {
  Reduction reduction = Reduction::matching;
  Search search = Search::depth_first;  // others: with Reduction::matching only
  std::uint64_t walks = 0;              // of a random search: how many executions
  std::uint64_t seed = 1;               // of a random search
  std::uint32_t deviations = 0;         // of a bounded search: decisions that take another option than the first
  // Processes that explore, at most jobs_max; one: this one, and no other. Of a depth-first exploration by matching.
  // The verdict is the same for any number, but for `application_runs` and `peak_bytes`, and where it rests on time.
  std::uint32_t jobs = 1;
  bool apart = false;                 // only processes other than this one run actors, as far as they can be had
  double alone_seconds = 0.02;        // no sooner are others started
  double undivided_seconds = 0.0002;  // no sooner is a part of the exploration divided
};

struct Bounds {
  bool all_findings = false;  // otherwise stop `grace_executions` executions after the first error
  std::uint64_t grace_executions = 5000;
  std::uint64_t max_executions = std::numeric_limits<std::uint64_t>::max();
  double max_seconds = std::numeric_limits<double>::infinity();
  std::uint64_t max_history_bytes = std::uint64_t{96} << 20;  // of what is remembered of actors; more if it must be
  std::uint64_t max_bytes = std::numeric_limits<std::uint64_t>::max();  // of memory, of all processes
  // An actor that goes on for longer with operations that concern nobody else fails.
  double max_step_seconds = std::numeric_limits<double>::infinity();
};

struct Progress {
  std::uint64_t executions = 0;
  std::uint64_t operations = 0;
  double seconds = 0;
  double fraction = 0;  // done of all that there is to explore, about; 0: not known
};

struct Hooks {
  // Called in each process before it runs actors, with what asks it to stop; empty: not called.
  std::function<void(const StopToken&)> prepare;
  std::function<Caveats()> caveats;  // of what actors did in this process; empty: none
  DifferenceReporter report_difference;  // needed where Semantics asks for same_... or find_races
  StateReporter report_state;            // of states that the program's predicates exclude; empty: they are not judged
  // What an execution costs that ends under the first policy, asked of each in the process that explores it; empty:
  // nobody asks.
  std::function<Price(const Schedule&)> price;
  StopToken stop;                                 // asks the exploration to end early, with what is known by then
  std::function<void(const Progress&)> progress;  // called a few times a second; empty: not at all
};

struct ExploreOptions {
  Semantics semantics;
  Strategy strategy;
  Bounds bounds;
  Hooks hooks;
};

}  // namespace rehearse::mc
