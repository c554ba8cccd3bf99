// SPDX-License-Identifier: MIT
//
// Checking a program: judges every legal execution and explains the findings. This is `rehearse check` for C++
// programs, which get the findings as values (docs/api.md).
//
// Process: the program is loaded into this process. The steps after the exploration run it in separate processes. A
//          caller that must survive a program that kills its process calls check() in a child process (supervisor.hpp).
// Errors:  a file that cannot be loaded, read or written. The text begins with the option of `rehearse check` for it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/check_report.hpp"
#include "app/job.hpp"
#include "app/machine.hpp"
#include "mc/explore_options.hpp"
#include "mc/state_search.hpp"
#include "properties/selection.hpp"
#include "simcore/stop_token.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::app {

struct Counterexample;

// What a check asks about executions that never end.
struct StateQuestions {
  std::vector<mc::NamedFormula> formulas;  // not empty: states are searched instead of executions
  mc::Fairness fairness = mc::Fairness::weak;
  std::uint64_t max_states = 100'000;
  bool is_asked = true;  // false: executions that never end are not looked for
};

struct CheckRequest {
  Job job;
  std::string program;  // its name in reports; empty: the path
  mc::Semantics semantics;
  mc::Strategy strategy;
  mc::Bounds bounds;
  std::vector<mc::Helper> helpers;  // processes that called help() with the same request
  StateQuestions states;
  properties::Selection selection;
  bool warnings_as_errors = false;
  std::string counterexample;              // file for the first error; empty: none is written
  double minimise_seconds = 2;             // 0: the counter-example is not minimised
  std::vector<std::uint32_t> fewer_ranks;  // numbers of ranks with which to try the first error
  bool needless_barriers = false;
  bool needed_buffering = false;
  bool separate_windows = false;  // windows have a public and a private copy; not with save and resume, nor with
                                  // policies that count bytes
  bool merges_pages = false;      // the kernel merges equal pages of the exploring processes
  std::string save;               // file for the remaining work of a stopped exploration; empty: none
  std::string proof;              // file for a proof by flow equations; empty: none
  std::string resume;             // file with the remaining work to continue; empty: none
  std::optional<MachineOptions> predict_on;  // none: no times are predicted
  std::optional<double> time_bound;          // seconds; needs predict_on
  std::string platform;                      // as the user named it, for counter-examples
  std::string earlier_death;                 // the end of an earlier process with the same request; empty: none
};

// The request of `rehearse check -n RANKS PROGRAM ARGUMENTS...`: all policies, all findings that are on by default, one
// process for each processor, three quarters of the memory, a minute for each step.
CheckRequest default_request(const std::string& program, std::uint32_t ranks,
                             const std::vector<std::string>& arguments = {});

// The bounds and the number of processes of that request.
mc::Bounds default_bounds();
std::uint32_t default_jobs();

// All hooks are called during check() only.
struct CheckHooks {
  StopToken stop;  // ends the exploration early
  std::function<void(const mc::Progress&)> progress;
  std::function<void()> explored;                  // once: `stop` is not read after it
  std::function<void(const CheckReport&)> judged;  // once: the verdict is complete; the explanation of findings follows
};

Result<CheckReport> check(const CheckRequest& request, const CheckHooks& hooks = {});

// Explores parts of the check of another process, whose helpers these connections are. See mc::help().
Result<void> help(const CheckRequest& request, const std::vector<int>& coordinator);

// The report if the exploring processes ended before they had a verdict. `how`: "by signal 11 (Segmentation fault)".
CheckReport report_of_death(const CheckRequest& request, const std::string& how);

// The counter-example of one finding of the report.
Counterexample counterexample_of(const Finding& finding, const CheckReport& report, const CheckRequest& request);

// The properties that two explorations must share so that one can continue the remaining work of the other, one on each
// line.
Result<std::string> identity_of(const CheckRequest& request);

}  // namespace rehearse::app
