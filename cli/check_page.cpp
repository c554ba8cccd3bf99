// SPDX-License-Identifier: MIT
//
// Findings are replayed one by one, each in a process of its own, from which the part of the page comes back as text:
// the names of source files, a line each, an empty line, and the recording.
#include "cli/check_page.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

#include "cli/launch.hpp"
#include "cli/machine.hpp"
#include "cli/policies.hpp"
#include "cli/report/html_report.hpp"
#include "cli/report/wording.hpp"
#include "cli/supervisor.hpp"
#include "cli/timed_run.hpp"
#include "simcore/schedule.hpp"

namespace rehearse::cli {
namespace {

constexpr std::uint32_t recordings_max = 10;
constexpr double step_seconds = 60;    // of a rank's own code, as replay has it

struct Again {
  std::string program;  // absolute path
  std::vector<std::string> arguments;
  std::uint32_t ranks = 0;
  mc::Policy policy;
  const Finding* finding = nullptr;
};

// Empty: it does not happen again in simulated time.
std::string part_of(const Again& again, std::uint32_t index) {
  auto schedule = parse_schedule(again.finding->schedule);
  auto machine = make_machine({}, again.ranks);
  auto program = launch_to_replay(again.program, again.arguments, again.ranks, smpi::BufferChecks{});
  if (!schedule || !machine || !program) return {};
  smpi::limit_steps(*program.value(), {step_seconds, UINT64_MAX});
  EngineOptions options;
  options.eager_bytes = options.buffer_bytes = again.policy.eager_bytes;
  options.synchronising_collectives = again.policy.synchronising;
  options.own_code = OwnCode::none;
  options.forced = std::move(schedule.value());
  auto run = run_timed(*program.value(), *machine.value(), options, {}, Recorded::calls_and_resources);
  if (!run || run.value().result.unused_decisions > 0) return {};
  const auto is_it = [&](const Finding& finding) {
    return finding.id == again.finding->id && finding.actors == again.finding->actors;
  };
  if (std::ranges::none_of(run.value().findings, is_it)) return {};
  const Recording& recording = *run.value().recording;
  const Subject subject{again.program, machine.value()->platform, machine.value()->network};
  std::string text;
  for (const std::string& name : files_of(recording)) text += name + "\n";
  return text + "\n" + recording_for_page(recording, subject, index);
}

// What the work returns in a process of its own; nothing if that died.
std::optional<std::string> text_from_apart(const std::function<std::string()>& work) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), std::fclose);
  if (!file) return std::nullopt;
  const Ending ending = run_apart([&] {
    const std::string text = work();
    return std::fwrite(text.data(), 1, text.size(), file.get()) == text.size() && std::fflush(file.get()) == 0 ? 0 : 1;
  });
  if (ending.status != 0) return std::nullopt;
  std::string text(static_cast<std::size_t>(std::filesystem::file_size("/proc/self/fd/" +
                                                                       std::to_string(fileno(file.get())))), 0);
  std::rewind(file.get());
  text.resize(std::fread(text.data(), 1, text.size(), file.get()));
  return text;
}

mc::Policy policy_of(const Finding& finding, const CheckReport& report) {
  if (finding.policies.empty()) return report.policies.front();
  auto policy = parse_policy(finding.policies.front());
  REHEARSE_ASSERT(bool(policy), "a finding under a policy that has no name");
  return policy.value();
}

void add_recording(HtmlReport& page, ReportedFinding& reported, const Again& again) {
  const auto index = static_cast<std::uint32_t>(page.recordings.size());
  const auto text = text_from_apart([&] { return part_of(again, index); });
  const std::size_t end = text ? text->find("\n\n") : std::string::npos;
  if (!text || text->empty()) {
    reported.note = text ? "It does not happen on the default platform in simulated time, so there is no picture of it."
                         : "Its replay did not come to an end, so there is no picture of it.";
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

std::vector<Finding> most_important_first(const CheckReport& report) {
  std::vector<Finding> findings = report.verdict.findings;
  std::ranges::stable_sort(findings, {}, &Finding::severity);
  return findings;
}

HtmlReport page_of(const CheckReport& report) {
  HtmlReport page;
  page.verb = "check";
  page.program = report.program;
  page.verdict = name_of(answer_of(report.verdict));
  page.headline = verdict_line(report).substr(page.verdict.size() + 2);
  std::vector<std::string> policies;
  for (const mc::Policy& policy : report.policies) policies.push_back(mc::to_text(policy));
  page.facts = {{"ranks", with_commas(report.ranks)},
                {"executions", with_commas(report.verdict.executions)},
                {"blocked ones", with_commas(report.verdict.blocked)},
                {"exhaustive", report.verdict.exhaustive ? "yes" : "no"},
                {"policies", list_of(policies)}};
  return page;
}

}  // namespace

std::string write_check_page(const std::string& file, const CheckReport& report, const std::string& path,
                             const std::vector<std::string>& arguments) {
  HtmlReport page = page_of(report);
  Again again{std::filesystem::absolute(path).lexically_normal(), arguments, report.ranks, {}, nullptr};
  for (Finding& finding : most_important_first(report)) {
    ReportedFinding reported{std::move(finding), {}, ""};
    if (page.recordings.size() < recordings_max) {
      again.finding = &reported.finding;
      again.policy = policy_of(reported.finding, report);
      add_recording(page, reported, again);
    }
    page.findings.push_back(std::move(reported));
  }
  return write_html(file, page);
}

}  // namespace rehearse::cli
