// SPDX-License-Identifier: MIT
//
// Findings are replayed one by one, each in a child process. The process returns its part of the page as text: the
// names of source files, a line each, an empty line, and the recording.
#include "app/cli/report/check_page.hpp"

#include <algorithm>
#include <numeric>

#include "app/cli/report/html_report.hpp"
#include "app/failure_times.hpp"
#include "app/isolated.hpp"
#include "app/policies.hpp"
#include "app/replay.hpp"
#include "app/wording.hpp"

namespace rehearse::cli {
namespace {

constexpr std::uint32_t recordings_max = 10;
constexpr double step_seconds = 60;  // of a rank's computation between two calls, as in replay
constexpr double replay_seconds = 300;

// The part of the page for a finding; empty: it cannot be reproduced in simulated time.
std::string part_of(const app::Counterexample& finding, const app::MachineOptions& machine, std::uint32_t index) {
  auto again = app::replay({finding, machine, step_seconds, app::Recorded::calls_and_resources});
  if (!again || !again.value().is_same || again.value().is_untimed) return {};
  const app::Recording& recording = *again.value().run.recording;
  const app::Machine& ran_on = *again.value().machine;
  const Subject subject{finding.program, ran_on.platform, ran_on.network};
  std::string text;
  for (const std::string& name : files_of(recording)) text += name + "\n";
  return text + "\n" + recording_for_page(recording, subject, index);
}

void add_recording(HtmlReport& page, ReportedFinding& reported, const app::Counterexample& of,
                   const app::MachineOptions& machine) {
  const auto index = static_cast<std::uint32_t>(page.recordings.size());
  const auto text = app::text_from_isolated([&] { return part_of(of, machine, index); }, replay_seconds);
  const std::size_t end = text ? text->find("\n\n") : std::string::npos;
  if (!text || text->empty()) {
    const std::string where = of.platform.empty() ? "the default platform" : of.platform;
    reported.note = text ? "It does not happen on " + where + " in simulated time, so there is no picture of it."
                         : "Its replay did not end, so there is no picture of it.";
    return;
  }
  if (end != std::string::npos && text->front() != '\n') {
    for (std::size_t at = 0; at <= end;) {
      const std::size_t next = text->find('\n', at);
      page.files.push_back(text->substr(at, next - at));
      at = next + 1;
    }
  }
  page.recordings.push_back(text->substr(text->front() == '\n' ? 1 : end + 2));
  reported.recording = index;
}

// Indices of findings.
std::vector<std::size_t> most_important_first(const app::CheckReport& report) {
  std::vector<std::size_t> indices(report.verdict.findings.size());
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  std::ranges::stable_sort(indices, {}, [&](std::size_t i) { return report.verdict.findings[i].severity; });
  return indices;
}

HtmlReport page_of(const app::CheckReport& report) {
  HtmlReport page;
  page.verb = "check";
  page.program = report.program;
  page.verdict = app::name_of(app::answer_of(report.verdict));
  page.headline = verdict_line(report).substr(page.verdict.size() + 2);
  const auto& merging = report.verdict.merging;
  page.facts = {{"ranks", app::with_commas(report.ranks)}};
  const auto& flow = report.verdict.flow;
  if (flow && flow->why_not.empty()) {
    page.facts.emplace_back(flow->by_footprints ? "steps known by footprints" : "steps in flow equations",
                            app::with_commas(flow->steps));
  } else if (merging && merging->unsupported.empty()) {
    page.facts.emplace_back("merged states", app::with_commas(merging->states));
  } else {
    page.facts.emplace_back("executions", app::with_commas(report.verdict.executions));
    page.facts.emplace_back("blocked ones", app::with_commas(report.verdict.blocked));
  }
  page.facts.emplace_back("exhaustive", report.verdict.exhaustive ? "yes" : "no");
  page.facts.emplace_back("policies", app::list_of(app::names_of(report.policies)));
  if (!report.platform.empty()) page.facts.emplace_back("predicted times", app::describe(report.compute));
  return page;
}

}  // namespace

Result<void> write_check_page(const std::string& file, const app::CheckReport& report,
                              const app::CheckRequest& request) {
  const app::MachineOptions machine = request.predict_on.value_or(app::MachineOptions{});
  HtmlReport page = page_of(report);
  for (const std::size_t i : most_important_first(report)) {
    ReportedFinding reported{report.verdict.findings[i], {}, ""};
    if (i < report.failure_times.size() && report.failure_times[i].is_predicted)
      reported.predicted = "It " + when(report.failure_times[i]) + " on " + report.platform + "; " +
                           app::describe(report.compute) + ".";
    if (page.recordings.size() < recordings_max)
      add_recording(page, reported, counterexample_of(reported.finding, report, request), machine);
    page.findings.push_back(std::move(reported));
  }
  return write_html(file, page);
}

}  // namespace rehearse::cli
