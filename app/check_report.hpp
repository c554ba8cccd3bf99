// SPDX-License-Identifier: MIT
//
// What a check answers: the verdict of the exploration, and what was looked up besides.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/compute_options.hpp"
#include "mc/explore.hpp"
#include "smpi/process.hpp"

namespace rehearse::app {

// Where an exploration branches most: what to change or to bound where it is too large.
struct BranchingPlace {
  std::string call;              // "MPI_Recv"
  bool of_any_source = false;    // it may take messages of any rank
  Frame frame;                   // no file: not known
  std::uint64_t executions = 0;  // that were reached by another answer there
  double share = 0;              // of all executions but the first
};

// Most first. `program`: whose places these are.
std::vector<BranchingPlace> branching_places(const smpi::LoadedProgram& program, const mc::Verdict& verdict);

// When a finding has happened on the platform.
struct FailureTime {
  bool is_predicted = false;      // otherwise nothing is known
  std::optional<double> seconds;  // none: it does not happen at the dates of that platform
};

// Whether the first error happens with fewer ranks, too.
struct FewerRanksReport {
  std::vector<std::uint32_t> tried;         // the smallest first, up to the one that shows it
  std::optional<std::uint32_t> shown_with;  // the last one tried
  bool is_written = false;                  // the counter-example is of that
};

struct CheckReport {
  std::string program;  // as the user wrote it
  std::uint32_t ranks = 0;
  std::vector<mc::Policy> policies;
  mc::Verdict verdict;
  std::vector<BranchingPlace> branchings;  // where the exploration branched most
  std::string platform;  // on which times were predicted; empty: they were not
  ComputeOptions compute;  // of predicted times
  std::vector<FailureTime> failure_times;  // by finding; empty: nobody asked
  double seconds = 0;
  std::string barriers_left_out;                // of how many barriers nothing is known, and why; empty: of none
  std::optional<FewerRanksReport> fewer_ranks;  // none: nobody asked
  std::string counterexample;                   // file that was written; empty: none
  std::string saved_to;                         // file with the remaining work; empty: none
};

enum class Answer { verified, violation, inconclusive };

Answer answer_of(const mc::Verdict& verdict);
std::string_view name_of(Answer answer);

// The finding that the answer is about: the first error. Null if there is none.
const Finding* first_error(const mc::Verdict& verdict);
Finding* first_error(mc::Verdict& verdict);

}  // namespace rehearse::app
