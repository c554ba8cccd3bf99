// SPDX-License-Identifier: MIT
//
// The options of an exploration: the legal behaviour and the kinds of findings (Semantics), the order and the number of
// processes (Strategy), the limits (Bounds), and the callbacks (Hooks).
//
// Functions pass these structures on as a whole. To change an option, copy the structure and set the member, so that a
// new option cannot get lost.
//
// Ownership: the options must outlive the exploration, and the captures of Hooks must outlive the options.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "mc/costs.hpp"
#include "simcore/caveats.hpp"
#include "simcore/difference.hpp"
#include "simcore/global_state.hpp"
#include "simcore/policy.hpp"
#include "simcore/schedule.hpp"
#include "simcore/stop_token.hpp"

namespace rehearse::mc {

constexpr std::uint32_t jobs_max = 256;  // exploring processes

struct Semantics {
  // 1 to 31; the verdict counts the classes of the first. Policy::mixed: see supports_mixed_buffering().
  std::vector<Policy> policies = {Policy{}};
  std::uint32_t polls = 1;  // consecutive "no" answers at one place before the actor must wait for a change
  // Report an actor whose output, sends or results differ from the first execution. For Reduction::matching.
  bool same_output = false, same_sends = false, same_results = false;
  // Report places that can take messages of different actors. For Reduction::matching, not in a random search.
  bool find_races = false;
};

// matching: one execution per class, by receives-from exploration. odpor: one per order of dependent steps. none: every
// interleaving, to test the others. merged: states instead of executions, local histories with equal states are one.
// flow: no execution, but a proof by flow equations; matching if there is none. footprints: the same for steps that are
// known by the memory that they read and write.
enum class Reduction { matching, odpor, none, merged, flow, footprints };

// depth_first: all executions. random: a number of random executions, never exhaustive.
// bounded: depth-first, first the executions without deviations, then those with one, and so on.
// predict: one execution, and those with errors that a solver predicts from it (mc/predict).
enum class Search { depth_first, random, bounded, predict };

// A connection to a process on another machine (or on this one) that runs help() with the same program and options. It
// gives one worker. The caller owns the descriptor; the exploration ends the connection.
struct Helper {
  int descriptor = -1;
  std::string machine;  // its name; empty: this machine. Workers with equal names share its memory
};

struct Strategy {
  Reduction reduction = Reduction::matching;
  Search search = Search::depth_first;  // the others need Reduction::matching
  std::uint64_t walks = 0;              // number of executions of a random search
  std::uint64_t seed = 1;               // seed of a random search
  std::uint32_t deviations = 0;         // deviation bound of a bounded search
  // Each actor makes the same operations whatever it receives, as in a recording. Then predictions may be complete.
  bool is_fixed_course = false;
  // Number of exploring processes, at most jobs_max; 1: only this process. For depth-first exploration with matching.
  // The verdict does not depend on it, except `application_runs`, `peak_bytes` and effects of time limits.
  std::uint32_t jobs = 1;
  std::vector<Helper> helpers = {};  // further processes; together with `jobs` at most jobs_max
  // Count the local histories that end in equal states (Verdict::local_histories). For matching with one job.
  bool counts_merges = false;
  // Also try to prove the program, or decide it with merged states (mc/strategy/proof_attempt.hpp), if this takes long:
  // after so many executions or seconds, but after at least so many executions. For depth-first exploration with
  // matching that is not saved.
  bool attempts_proof = false;
  std::uint64_t proof_after_executions = 200'000, proof_after_at_least = 1000;
  double proof_after_seconds = 10;
  bool apart = false;                 // run actors only in other processes, if they can be started
  double alone_seconds = 0.02;        // time before other processes start
  double undivided_seconds = 0.0002;  // time before a part of the exploration is divided
};

// Whether a search of this kind may get Policy::mixed: it follows the choices of the buffering, or names them as not
// supported. Not so: Reduction::none, Reduction::odpor and Search::predict.
bool supports_mixed_buffering(const Strategy& strategy);

struct Bounds {
  bool all_findings = false;  // otherwise stop `grace_executions` executions after the first error
  std::uint64_t grace_executions = 5000;
  std::uint64_t max_executions = std::numeric_limits<std::uint64_t>::max();
  double max_seconds = std::numeric_limits<double>::infinity();
  std::uint64_t max_history_bytes = std::uint64_t{96} << 20;            // soft limit on the memory for local histories
  std::uint64_t max_bytes = std::numeric_limits<std::uint64_t>::max();  // limit on the memory of all processes
  // An actor fails if it runs for longer than this with operations that concern no other actor.
  double max_step_seconds = std::numeric_limits<double>::infinity();
  // When to ask Hooks::is_endless: no execution has ended for so many events and seconds.
  std::uint64_t long_events = 20'000;
  double long_seconds = 1;
};

struct Progress {
  std::uint64_t executions = 0;
  std::uint64_t operations = 0;
  double seconds = 0;
  double fraction = 0;  // approximate completed part of the exploration; 0: unknown
};

struct Hooks {
  // Called in each process before it runs actors, with the token that asks it to stop. Empty: not called.
  std::function<void(const StopToken&)> prepare;
  std::function<Caveats()> caveats;      // caveats from the actors in this process; empty: none
  DifferenceReporter report_difference;  // required for same_... and find_races of Semantics
  StateReporter report_state;            // of states that violate predicates; empty: they are not judged
  // The cost of an execution that ends under the first policy. Called for each in the process that explores it. Empty:
  // not called.
  std::function<Price(const Schedule&)> price;
  // Asked at most once, if an execution is long (Bounds::long_events): whether the program has executions that never
  // end. If so, the exploration stops. Empty: not asked.
  std::function<bool()> is_endless;
  StopToken stop;                                 // ends the exploration early, with the results so far
  std::function<void(const Progress&)> progress;  // called a few times a second; empty: not at all
};

struct ExploreOptions {
  Semantics semantics;
  Strategy strategy;
  Bounds bounds;
  Hooks hooks;
};

}  // namespace rehearse::mc
