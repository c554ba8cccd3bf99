// SPDX-License-Identifier: MIT
//
// The report of a check.
#include "app/cli/report/check_text.hpp"

#include <algorithm>
#include <utility>

#include "app/cli/report/reported_once.hpp"
#include "app/exit_status.hpp"
#include "app/likewise.hpp"
#include "app/policies.hpp"
#include "app/version.hpp"
#include "app/wording.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::cli {
namespace {

constexpr std::size_t notes_in_text = 5;

// The names of the policies, without those that another one covers.
std::string list_of(const std::vector<Policy>& policies) {
  return app::list_of(app::names_of(app::without_variants(policies)));
}

std::string under(const Finding& finding) {
  return finding.policies.empty() ? "" : fmt::format(" (policy {})", list_of(finding.policies));
}

std::string predicted_on(const app::CheckReport& report) {
  return "predicted on " + report.platform + (report.compute.is_counted() ? "" : ", without computation time");
}

std::string provided_that(const mc::Verdict& verdict) {
  return verdict.assumptions.empty() ? "" : ", provided that " + app::list_of(verdict.assumptions);
}

// What holds in the states of actors or ranks.
std::string in_states(const app::StatesReport& states, bool is_of_actors) {
  std::vector<std::string> formulas;
  for (const std::string& text : states.formulas) formulas.push_back('"' + text + '"');
  return (formulas.empty() ? "nothing goes wrong, and no execution is endless"
                           : app::list_of(formulas) + (formulas.size() == 1 ? " holds" : " hold") +
                                 (is_of_actors ? " in each execution, and nothing else goes wrong"
                                               : " in each execution, and none ends with an error or a deadlock")) +
         fmt::format(", in {} and {} of the {}", app::counted(states.states, "state"),
                     app::counted(states.steps, "step"), is_of_actors ? "actors" : "ranks");
}

// Whether states were explored instead of executions.
bool is_merged(const mc::Verdict& verdict) { return verdict.merging && verdict.merging->unsupported.empty(); }

std::string merged_states(const mc::Verdict& verdict) { return app::counted(verdict.merging->states, "merged state"); }

// Whether flow equations proved that nothing goes wrong, without any execution.
bool is_proved(const mc::Verdict& verdict) { return verdict.flow && verdict.flow->why_not.empty(); }

std::string proof_of(const mc::FlowProof& flow) {
  return (flow.by_footprints ? "footprints over " : "flow equations over ") + app::counted(flow.steps, "step");
}

// Whether predictions from one execution decided the program.
bool is_predicted(const mc::Verdict& verdict) {
  return verdict.exhaustive && verdict.prediction && verdict.prediction->questions > 0;
}

// Why executions were explored although states or a proof were requested.
std::string why_executions(const mc::Verdict& verdict) {
  if (verdict.flow && !is_proved(verdict))
    return "; --reduction " + std::string(verdict.flow->by_footprints ? "footprints" : "flow") + " has no proof (" +
           verdict.flow->why_not + "), so matching explored";
  if (!verdict.merging || is_merged(verdict)) return "";
  return "; --reduction merged does not support " + verdict.merging->unsupported + ", so matching explored";
}

// The explored part of an incomplete exploration.
std::string explored_part(const mc::Verdict& verdict) {
  if (is_merged(verdict)) return merged_states(verdict);
  if (is_proved(verdict)) return app::counted(verdict.flow->steps, "step");
  if (verdict.walks == 0) return app::counted(verdict.executions, "execution");
  return app::counted(verdict.walks, "random walk") + ", " + app::with_commas(verdict.executions) +
         (verdict.executions == 1 ? " class" : " classes");
}

TimePoint at(double seconds) { return TimePoint{} + Duration::from_seconds(seconds); }

// A line with a bar for each part.
std::string histogram_text(const mc::Costs& costs) {
  constexpr std::size_t longest = 40;
  const std::uint64_t highest = std::ranges::max(costs.histogram);
  const double width = (costs.most.cost - costs.least.cost) / static_cast<double>(costs.histogram.size());
  std::string text;
  for (std::size_t i = 0; i < costs.histogram.size(); ++i) {
    const std::uint64_t count = costs.histogram[i];
    const std::size_t length = (count * longest + highest - 1) / highest;
    text += "  up to " + app::in_seconds(at(costs.least.cost + width * static_cast<double>(i + 1))) + " " +
            std::string(length, '#') + std::string(longest + 1 - length, ' ') + app::with_commas(count) + "\n";
  }
  return text;
}

app::Json costs_to_json(const mc::Costs& costs, const app::CheckReport& report) {
  app::Json json = {{"platform", report.platform},
                    {"compute", report.compute.what},
                    {"executions", costs.executions},
                    {"failed", costs.failed},
                    {"impossible", costs.without}};
  if (costs.executions == 0) return json;
  json["min"] = costs.least.cost;
  json["max"] = costs.most.cost;
  json["fastest"] = to_text(costs.least.schedule);
  json["slowest"] = to_text(costs.most.schedule);
  json["histogram"] = costs.histogram;
  return json;
}

}  // namespace

std::string when(const app::FailureTime& time) {
  return time.seconds ? "happens after " + app::in_seconds(at(*time.seconds))
                      : "does not happen at the predicted dates";
}

int exit_status_of(app::Answer answer) {
  switch (answer) {
    case app::Answer::verified: return app::exit_good;
    case app::Answer::violation: return app::exit_violation;
    case app::Answer::inconclusive: return app::exit_inconclusive;
  }
  REHEARSE_ASSERT(false, "an answer without an exit status");
  return app::exit_inconclusive;
}

app::Json to_json(const app::CheckReport& report) {
  const mc::Verdict& verdict = report.verdict;
  app::Json json = {{"rehearse", app::version},
                    {"program", report.program},
                    {report.is_of_actors ? "groups_of_actors" : "ranks", report.ranks},
                    {"verdict", app::name_of(app::answer_of(verdict))},
                    {"exhaustive", verdict.exhaustive},
                    {"reasons", verdict.reasons},
                    {"executions", verdict.executions},
                    {"blocked", verdict.blocked},
                    {"duplicates", verdict.duplicates},
                    {"operations", verdict.operations},
                    {"application_runs", verdict.application_runs},
                    {"seconds", report.seconds},
                    {"peak_bytes", verdict.peak_bytes},
                    {"findings", app::Json::array()}};
  if (report.states) {
    json["executions"] = json["blocked"] = json["duplicates"] = nullptr;
    json["states"] = {{"states", report.states->states},
                      {"steps", report.states->steps},
                      {"fair", report.states->is_fair ? "weak" : "none"},
                      {"formulas", report.states->formulas}};
  }
  if (is_merged(verdict)) {
    json["executions"] = json["blocked"] = json["duplicates"] = nullptr;
    json["merged"] = {{"states", verdict.merging->states},
                      {"local_steps", verdict.merging->local_steps},
                      {"rounds", verdict.merging->rounds}};
  } else if (verdict.merging) {
    json["not_merged"] = verdict.merging->unsupported;
  }
  if (is_proved(verdict)) {
    json["executions"] = json["blocked"] = json["duplicates"] = nullptr;
    app::Json& proof = json[verdict.flow->by_footprints ? "footprints" : "flow"];
    proof = {{"local_steps", verdict.flow->local_steps},
             {"steps", verdict.flow->steps},
             {"equations", verdict.flow->equations},
             {"questions", verdict.flow->questions}};
    if (verdict.flow->by_footprints) proof["repeated_steps"] = verdict.flow->repeated_steps;
  } else if (verdict.flow) {
    json[verdict.flow->by_footprints ? "no_footprint_proof" : "no_flow_proof"] = verdict.flow->why_not;
  }
  if (const auto& prediction = verdict.prediction)
    json["prediction"] = {{"messages", prediction->messages},   {"receives", prediction->receives},
                          {"questions", prediction->questions}, {"confirmed", prediction->confirmed},
                          {"refuted", prediction->refuted},     {"open", prediction->open}};
  if (const auto& local = verdict.local_histories)
    json["local_histories"] = {{"compared", local->compared}, {"mergeable", local->mergeable}};
  if (verdict.walks > 0) json["walks"] = verdict.walks;
  if (!verdict.exhaustive && !report.branchings.empty()) json["branches"] = to_json(report.branchings);
  if (!verdict.assumptions.empty()) json["assumptions"] = verdict.assumptions;
  if (verdict.costs) json["predicted_seconds"] = costs_to_json(*verdict.costs, report);
  for (std::size_t i = 0; i < verdict.findings.size(); ++i) {
    app::Json& finding = json["findings"].emplace_back(app::to_json(verdict.findings[i]));
    if (i >= report.failure_times.size() || !report.failure_times[i].is_predicted) continue;
    const std::optional<double>& seconds = report.failure_times[i].seconds;
    finding["predicted_seconds"] = seconds ? app::Json(*seconds) : app::Json(nullptr);
  }
  if (const auto& fewer = report.fewer_ranks)
    json["fewer_ranks"] = {{"tried", fewer->tried},
                           {"found", fewer->is_written ? app::Json(*fewer->shown_with) : app::Json(nullptr)}};
  return json;
}

std::string verdict_line(const app::CheckReport& report) {
  const mc::Verdict& verdict = report.verdict;
  const app::Answer answer = app::answer_of(verdict);
  std::string line = std::string(app::name_of(answer)) + ": ";
  if (answer == app::Answer::violation) {
    const Finding& finding = *app::first_error(verdict);
    const std::vector<ReportedOnce> all = reported_once(verdict.findings);
    const auto listed = std::ranges::find(all, &finding, &ReportedOnce::finding);
    return line + finding.id.text() + ": " + app::whole_message(finding) + under(finding) +
           (listed == all.end() ? "" : listed->likewise());
  }
  if (answer == app::Answer::inconclusive) {
    line += verdict.reasons.empty() ? "not everything was explored" : app::list_of(verdict.reasons);
    if (report.states) return line + "; nothing wrong in " + app::counted(report.states->states, "state");
    return line + "; nothing wrong in " + explored_part(verdict) + branches_most(report.branchings) +
           app::advice_on(verdict.reasons, report.program) + why_executions(verdict);
  }
  if (report.states) return line + in_states(*report.states, report.is_of_actors) + provided_that(verdict);
  if (report.is_of_actors)
    return line + "nothing goes wrong in any of " + app::counted(verdict.executions, "execution") + " of the actors" +
           (verdict.assumptions.empty() ? "" : ", provided that " + app::list_of(verdict.assumptions));
  const bool has_executions = !is_merged(verdict) && !is_proved(verdict) && !is_predicted(verdict);
  const std::string all = has_executions ? "nothing goes wrong in any of " : "nothing goes wrong in any execution: ";
  const std::string what = is_predicted(verdict) ? "predicted from one execution"
                           : is_proved(verdict)  ? proof_of(*verdict.flow)
                           : is_merged(verdict)  ? merged_states(verdict)
                                                 : app::counted(verdict.executions, "execution");
  return line + all + what + " of " + app::counted(report.ranks, "rank") + " (buffering " + list_of(report.policies) +
         ")" + (verdict.assumptions.empty() ? "" : ", provided that " + app::list_of(verdict.assumptions)) +
         why_executions(verdict);
}

std::string proof_file(const app::CheckReport& report) {
  if (!report.proof.empty()) return "proof: " + report.proof + " (rehearse proof)\n";
  if (app::answer_of(report.verdict) != app::Answer::verified) return "";
  return std::string("no proof file: ") +
         (is_proved(report.verdict)
              ? "the format has no nets with groups of messages, or where a rank may come back to a point"
              : "only proofs by flow equations and footprints have one") +
         "\n";
}

std::string mergeable_histories(const app::CheckReport& report) {
  const auto& local = report.verdict.local_histories;
  if (!local) return "";
  return fmt::format("{} of {} local histories end in the state of another one (--reduction merged would merge them)\n",
                     app::with_commas(local->mergeable), app::with_commas(local->compared));
}

std::string predicted_times(const app::CheckReport& report) {
  if (!report.verdict.costs) return "";
  const mc::Costs& costs = *report.verdict.costs;
  std::string text = predicted_on(report) + ": ";
  std::string without;
  if (costs.failed > 0)
    without += app::counted(costs.failed, "execution") + (costs.failed == 1 ? " fails" : " fail") + " before the end\n";
  if (costs.without > 0)
    without += app::counted(costs.without, "execution") + " cannot happen at the predicted dates\n";
  if (costs.executions == 0) return text + without;
  text += "the fastest of " + app::counted(costs.executions, "execution") + " takes " +
          app::in_seconds(at(costs.least.cost)) + ", the slowest " + app::in_seconds(at(costs.most.cost)) + "\n" +
          without;
  if (costs.histogram.size() > 1) text += histogram_text(costs);
  return text;
}

std::string fewer_ranks(const app::CheckReport& report) {
  if (!report.fewer_ranks) return "";
  const app::FewerRanksReport& fewer = *report.fewer_ranks;
  const std::string id = app::first_error(report.verdict)->id.text();
  std::vector<std::string> without;
  for (const std::uint32_t number : fewer.tried)
    if (number != fewer.shown_with) without.push_back(std::to_string(number));
  const std::string tried = without.empty() ? "" : "not found with " + app::list_of(without);
  if (!fewer.shown_with) return "fewer ranks: " + id + " at the same places was " + tried + "\n";
  return "fewer ranks: " + id + " at the same places with " + app::counted(*fewer.shown_with, "rank") +
         " (see the counter-example)" + (tried.empty() ? "" : "; " + tried) + "\n";
}

std::string predicted_failures(const app::CheckReport& report) {
  constexpr std::size_t most = 10;
  std::string text;
  std::size_t lines = 0;
  for (std::size_t i = 0; i < report.failure_times.size(); ++i) {
    if (!report.failure_times[i].is_predicted) continue;
    const Finding& finding = report.verdict.findings[i];
    text += predicted_on(report) + ": " + finding.id.text() + " " + when(report.failure_times[i]) + "\n";
    if (++lines == most) break;
  }
  return text;
}

std::string other_findings(const app::CheckReport& report) {
  std::string text;
  const Finding* first = app::first_error(report.verdict);
  std::size_t notes = 0;
  for (const Severity severity : {Severity::error, Severity::warning, Severity::note}) {
    for (const ReportedOnce& each : reported_once(report.verdict.findings)) {
      const Finding& finding = *each.finding;
      if (&finding == first || finding.severity != severity) continue;
      if (severity == Severity::note && ++notes > notes_in_text) continue;
      text += std::string(app::name_of(finding.severity)) + ": " + finding.id.text() + ": " +
              app::whole_message(finding) + under(finding) + each.likewise() + "\n";
    }
  }
  if (notes > notes_in_text)
    text += "note: " + app::counted(notes - notes_in_text, "more note") + " in the report (--json)\n";
  return text;
}

}  // namespace rehearse::cli
