// SPDX-License-Identifier: MIT
//
// The report of a check.
#include "cli/report/check_report.hpp"

#include <algorithm>

#include "cli/exit_status.hpp"
#include "cli/policies.hpp"
#include "cli/report/wording.hpp"
#include "cli/version.hpp"

namespace rehearse::cli {
namespace {

std::string names_of(const std::vector<mc::Policy>& policies) {
  std::vector<std::string> names;
  for (const mc::Policy& policy : policies) names.push_back(mc::to_text(policy));
  return list_of(without_variants(names));
}

std::string under(const Finding& finding) {
  return finding.policies.empty() ? "" : " (policy " + list_of(without_variants(finding.policies)) + ")";
}

}  // namespace

const Finding* first_error(const mc::Verdict& verdict) {
  const auto found = std::ranges::find(verdict.findings, Severity::error, &Finding::severity);
  return found == verdict.findings.end() ? nullptr : &*found;
}

Answer answer_of(const mc::Verdict& verdict) {
  if (first_error(verdict) != nullptr) return Answer::violation;
  return verdict.exhaustive ? Answer::verified : Answer::inconclusive;
}

std::string_view name_of(Answer answer) {
  switch (answer) {
    case Answer::verified: return "verified";
    case Answer::violation: return "violation";
    case Answer::inconclusive: return "inconclusive";
  }
  REHEARSE_ASSERT(false, "an answer without a name");
  return {};
}

int exit_status_of(Answer answer) {
  switch (answer) {
    case Answer::verified: return exit_good;
    case Answer::violation: return exit_violation;
    case Answer::inconclusive: return exit_inconclusive;
  }
  REHEARSE_ASSERT(false, "an answer without an exit status");
  return exit_inconclusive;
}

Json to_json(const CheckReport& report) {
  const mc::Verdict& verdict = report.verdict;
  Json json = {{"rehearse", version},
               {"program", report.program},
               {"ranks", report.ranks},
               {"verdict", name_of(answer_of(verdict))},
               {"exhaustive", verdict.exhaustive},
               {"reasons", verdict.reasons},
               {"executions", verdict.executions},
               {"blocked", verdict.blocked},
               {"duplicates", verdict.duplicates},
               {"operations", verdict.operations},
               {"application_runs", verdict.application_runs},
               {"seconds", report.seconds},
               {"peak_bytes", verdict.peak_bytes},
               {"findings", Json::array()}};
  if (!verdict.assumptions.empty()) json["assumptions"] = verdict.assumptions;
  for (const Finding& finding : verdict.findings) json["findings"].push_back(to_json(finding));
  return json;
}

std::string verdict_line(const CheckReport& report) {
  const mc::Verdict& verdict = report.verdict;
  const Answer answer = answer_of(verdict);
  std::string line = std::string(name_of(answer)) + ": ";
  if (answer == Answer::violation) {
    const Finding& finding = *first_error(verdict);
    return line + finding.id + ": " + finding.message + under(finding);
  }
  if (answer == Answer::inconclusive) {
    line += verdict.reasons.empty() ? "not everything was explored" : list_of(verdict.reasons);
    return line + "; nothing wrong in " + counted(verdict.executions, "execution") +
           advice_on(verdict.reasons, report.program);
  }
  return line + "nothing goes wrong in any of " + counted(verdict.executions, "execution") + " of " +
         counted(report.ranks, "rank") + " (buffering " + names_of(report.policies) + ")" +
         (verdict.assumptions.empty() ? "" : ", provided that " + list_of(verdict.assumptions));
}

std::string other_findings(const CheckReport& report) {
  std::string text;
  const Finding* told = first_error(report.verdict);
  for (const Finding& finding : report.verdict.findings) {
    if (&finding == told) continue;
    text += std::string(name_of(finding.severity)) + ": " + finding.id + ": " + finding.message + under(finding) + "\n";
  }
  return text;
}

}  // namespace rehearse::cli
