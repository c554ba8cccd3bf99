// SPDX-License-Identifier: MIT
//
// See trace_exploration.hpp.
#include "app/trace_exploration.hpp"

#include <chrono>
#include <utility>

#include "app/check/exploration.hpp"
#include "app/likewise.hpp"
#include "app/sampling.hpp"
#include "app/trace/recording_file.hpp"
#include "app/wording.hpp"
#include "mc/explore.hpp"
#include "simcore/support/format.hpp"
#include "trace/replayed_program.hpp"

namespace rehearse::app {
namespace {

void shorten_policies(CheckReport& report) {
  for (Finding& finding : report.verdict.findings)
    if (finding.policies.size() == report.policies.size()) finding.policies.clear();
}

}  // namespace

TraceExplorationRequest default_trace_exploration(const std::string& file) {
  return {file, default_request(file, 1).semantics, default_bounds()};
}

Result<CheckReport> explore_trace(const TraceExplorationRequest& request, const CheckHooks& hooks) {
  auto opened = trace::open_program(request.file, trace::Wildcards::free, trace::Reports::all);
  if (!opened) return opened.error();
  trace::ReplayedProgram& program = *opened.value();
  CheckRequest check = default_request(request.file, program.actor_count());
  check.semantics = request.semantics;
  check.bounds = request.bounds;
  check.strategy.jobs = 1;  // the ranks of a trace keep their place in its files
  check.strategy.apart = false;
  check.strategy.is_fixed_course = true;
  if (request.predicts) check.strategy.search = mc::Search::predict;
  mc::ExploreOptions how = judged_options(check);
  how.hooks.stop = hooks.stop;
  how.hooks.progress = hooks.progress;
  CheckReport report;
  report.program = request.file;
  report.ranks = program.actor_count();
  report.policies = request.semantics.policies;
  const auto begin = std::chrono::steady_clock::now();
  report.verdict = mc::explore(program, how, judge_of(check.selection));
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (hooks.explored) hooks.explored();
  if (program.problem()) return *program.problem();
  fold_likewise(report.verdict.findings);
  report.verdict.assumptions.push_back("each rank makes the calls of the trace, whatever it receives");
  if (const DataMark mark = mark_in(program.about()); mark.is_needed())
    report.verdict.assumptions.push_back(fmt::format(
        "data: {}: {} in the recorded run, and the calls do not depend on it", mark.words(), mark.reason()));
  shorten_policies(report);
  return report;
}

}  // namespace rehearse::app
