// SPDX-License-Identifier: MIT
//
// Checking a program: every legal execution of it is judged, and what is found is looked into. It is what
// `rehearse check` does, for programs in C++ (docs/api.md), which get the findings as values.
//
// Process: the program is loaded into this process; what follows the exploration runs it in processes of its own.
//          Whoever must outlive a program that kills its process calls check() in one (supervisor.hpp).
// Errors:  what cannot be loaded, read or written, beginning with the option of `rehearse check` that names it.
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
#include "properties/selection.hpp"
#include "simcore/stop_token.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::app {

struct Counterexample;

struct CheckRequest {
  Job job;
  std::string program;  // its name in reports; empty: the path
  mc::Semantics semantics;
  mc::Strategy strategy;
  mc::Bounds bounds;
  properties::Selection selection;
  bool warnings_as_errors = false;
  std::string counterexample;            // file of the first error; empty: it is not written
  double minimise_seconds = 2;           // 0: the counter-example stays as it was found
  std::vector<std::uint32_t> fewer_ranks;  // with which the first error is tried, too
  bool needless_barriers = false;
  std::string save;    // file for the remaining work of an exploration that stopped; empty: it is not kept
  std::string resume;  // file with remaining work to begin with; empty: none
  std::optional<MachineOptions> predict_on;  // none: no times are predicted
  std::optional<double> time_bound;          // seconds; needs predict_on
  std::string platform;                      // as the user named it, for counter-examples
  std::string earlier_death;  // how a process ended that tried the same before; empty: none did
};

// What `rehearse check -n RANKS PROGRAM ARGUMENTS...` asks for: all policies, all findings that are on by default, as
// many processes as there are processors, three quarters of the memory, a minute for each step.
CheckRequest default_request(const std::string& program, std::uint32_t ranks,
                             const std::vector<std::string>& arguments = {});

// Its bounds, and its number of processes.
mc::Bounds default_bounds();
std::uint32_t default_jobs();

// All are called during check() only.
struct CheckHooks {
  StopToken stop;                                  // asks to end the exploration early
  std::function<void(const mc::Progress&)> progress;
  std::function<void()> explored;                 // once: nobody is asked whether to stop any more
  std::function<void(const CheckReport&)> judged;  // once: the verdict is there, what follows looks into its findings
};

Result<CheckReport> check(const CheckRequest& request, const CheckHooks& hooks = {});

// The answer where processes that explored ended before they had one. `how`: "by signal 11 (Segmentation fault)".
CheckReport report_of_death(const CheckRequest& request, const std::string& how);

// The counter-example of one finding of the report.
Counterexample counterexample_of(const Finding& finding, const CheckReport& report, const CheckRequest& request);

// What two explorations must have in common so that one can go on with the remaining work of the other: a line each.
Result<std::string> identity_of(const CheckRequest& request);

}  // namespace rehearse::app
