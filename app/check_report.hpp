// SPDX-License-Identifier: MIT
//
// The result of a check: the verdict of the exploration, and further information about it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/compute_options.hpp"
#include "app/counterexample.hpp"
#include "mc/explore.hpp"
#include "smpi/process.hpp"

namespace rehearse::app {

// A place at which an exploration branches most: a candidate for a change or a bound if the exploration is too large.
struct BranchingPlace {
  std::string call;              // "MPI_Recv"
  bool of_any_source = false;    // it can take messages of any rank
  Frame frame;                   // no file: unknown
  std::uint64_t executions = 0;  // reached by another answer at this place
  double share = 0;              // of all executions but the first
};

// In descending order. `program`: the program with these places.
std::vector<BranchingPlace> branching_places(const smpi::LoadedProgram& program, const mc::Verdict& verdict);

// The date of a finding on the platform.
struct FailureTime {
  bool is_predicted = false;      // false: unknown
  std::optional<double> seconds;  // none: it does not happen at the dates of the platform
};

// Whether the first error happens with fewer ranks, too.
struct FewerRanksReport {
  std::vector<std::uint32_t> tried;         // ascending, up to the one that shows the error
  std::optional<std::uint32_t> shown_with;  // the last one tried
  bool is_written = false;                  // the counter-example is of that
};

// An exploration of the states of actors or of ranks, for executions that never end and for formulas.
struct StatesReport {
  std::vector<std::string> formulas;  // texts
  bool is_fair = true;                // only weakly fair executions count
  std::uint64_t states = 0, steps = 0;
};

struct CheckReport {
  std::string program;  // as the user wrote it
  std::uint32_t ranks = 0;
  bool is_of_actors = false;  // a program of the actor API: all its actors are rank 0
  std::vector<Policy> policies;
  mc::Verdict verdict;
  std::vector<BranchingPlace> branchings;  // places at which the exploration branched most
  std::string platform;                    // of predicted times; empty: none are predicted
  ComputeOptions compute;                  // of predicted times
  std::vector<FailureTime> failure_times;  // by finding; empty: not requested
  std::optional<StatesReport> states;      // then the numbers of executions mean nothing
  std::vector<Counterexample> lassos;      // of ranks: for findings about executions that do not end, their steps
  double seconds = 0;
  std::vector<std::string> hints_left_out;      // hints that were asked for and are not among the findings, and why
  std::optional<FewerRanksReport> fewer_ranks;  // none: not requested
  std::string counterexample;                   // written file; empty: none
  std::string saved_to;                         // file with the remaining work; empty: none
  std::string proof;                            // written file with a proof; empty: none
};

enum class Answer { verified, violation, inconclusive };

Answer answer_of(const mc::Verdict& verdict);
std::string_view name_of(Answer answer);

// The first error, which decides the answer. Null if there is none.
const Finding* first_error(const mc::Verdict& verdict);
Finding* first_error(mc::Verdict& verdict);

}  // namespace rehearse::app
