// SPDX-License-Identifier: MIT
//
// What `rehearse check` answers: the verdict in one word, for people, and as JSON.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/report/branching_text.hpp"
#include "cli/report/json.hpp"
#include "mc/explore.hpp"

namespace rehearse::cli {

struct CheckReport {
  std::string program;  // as the user wrote it
  std::uint32_t ranks = 0;
  std::vector<mc::Policy> policies;
  mc::Verdict verdict;
  std::vector<BranchingPlace> branchings;  // where the exploration branched most
  std::string platform;  // on which times were predicted; empty: they were not
  double seconds = 0;
};

enum class Answer { verified, violation, inconclusive };

Answer answer_of(const mc::Verdict& verdict);
std::string_view name_of(Answer answer);
int exit_status_of(Answer answer);

// The finding that the answer is about: the first error. Null if there is none.
const Finding* first_error(const mc::Verdict& verdict);
Finding* first_error(mc::Verdict& verdict);

Json to_json(const CheckReport& report);

// One line, beginning with the answer; it tells the first error.
std::string verdict_line(const CheckReport& report);

// The fastest and the slowest execution, and a histogram of all, in lines; empty where times were not predicted.
std::string predicted_times(const CheckReport& report);

// A line for each other finding.
std::string other_findings(const CheckReport& report);

}  // namespace rehearse::cli
