// SPDX-License-Identifier: MIT
//
// rehearse explain: explains a counter-example to people, on at most a page, the most important part first.
#include <algorithm>
#include <filesystem>
#include <iostream>

#include "app/cli/actor_verbs.hpp"
#include "app/cli/message.hpp"
#include "app/cli/report/output_file.hpp"
#include "app/cli/verb_options.hpp"
#include "app/cli/verbs.hpp"
#include "app/counterexample.hpp"
#include "app/decision_text.hpp"
#include "app/exit_status.hpp"
#include "app/explain.hpp"
#include "app/explanation_json.hpp"
#include "app/policies.hpp"
#include "app/wording.hpp"

namespace rehearse::cli {
namespace {

constexpr std::size_t columns = 98, decisions_shown = 8, differences_shown = 4, story_shown = 14, waits_shown = 10;

void print_list(std::ostream& out, const std::vector<std::string>& lines, std::size_t most, const char* noun) {
  for (std::size_t i = 0; i < std::min(lines.size(), most); ++i)
    out << "  " << app::wrapped(lines[i], columns - 2, "      ") << '\n';
  if (lines.size() > most) out << "  ... and " << app::counted(lines.size() - most, noun) << " more\n";
}

std::vector<std::string> texts_of(const std::vector<mc::Decision>& decisions) {
  std::vector<std::string> texts;
  for (const mc::Decision& decision : decisions) texts.push_back(app::text_of(decision));
  return texts;
}

// The condition, in words, under which fewer calls wait than with this policy.
std::string less_waiting(const Policy& policy) {
  const std::string sends = "no send waits for its receive";
  const std::string collectives = "no member of a collective waits for more than it needs";
  if (!policy.synchronising) return sends;
  return policy.eager_bytes == Policy::infinite ? collectives : sends + ", and " + collectives;
}

void print_cause(std::ostream& out, const app::Counterexample& of, const app::Explanation& explanation) {
  if (explanation.cause.critical) {
    out << "\nCritical decision:\n  "
        << app::wrapped(app::text_of(*explanation.cause.critical) + ".", columns - 2, "  ") << '\n';
    std::vector<std::string> others;
    for (const mc::Decision& difference : explanation.cause.differences)
      if (!(difference.matches == explanation.cause.critical->instead.matches))
        others.push_back(app::text_of(difference));
    if (others.empty()) return;
    out << "  Further differences in the closest execution found that ends well:\n";
    print_list(out, others, differences_shown, "difference");
    return;
  }
  if (explanation.cause.ends_well_without_waiting)
    out << "\nCritical decision:\n  "
        << app::wrapped("None. Only the policy is critical: with the same messages and matches, the run ends well if " +
                            less_waiting(of.policy) + ".",
                        columns - 2, "  ")
        << '\n';
  else if (of.finding.id.family() == finding_ids::outcome)
    out << "\nCritical decision: none. The decisions below lead to the difference; each of the two executions ends "
           "well.\n";
  else
    out << "\nCritical decision: none found. All executions tried (" << app::with_commas(explanation.cause.executions)
        << ") end this way or with another error.\n";
}

void print_explanation(std::ostream& out, const app::Counterexample& of, const app::Explanation& explanation) {
  print_cause(out, of, explanation);
  if (explanation.cause.decisions.empty()) {
    out << "\nNeeds no unusual decision: the first execution explored ends this way.\n";
  } else {
    out << "\nNeeds " << app::counted(explanation.cause.decisions.size(), "unusual decision")
        << (explanation.cause.is_fewest ? ". No execution with fewer ends this way:\n" : ":\n");
    print_list(out, texts_of(explanation.cause.decisions), decisions_shown, "decision");
  }
  if (!explanation.waits.empty()) {
    out << "\nWaits at the end:\n";
    print_list(out, explanation.waits, waits_shown, "rank");
  }
  if (explanation.story.empty()) return;
  const std::size_t shown = std::min(explanation.story.size(), story_shown);
  out << "\nSteps that lead to it, with the fewest switches between ranks (" << explanation.cause.switches << ")"
      << (shown < explanation.story.size() || !explanation.cause.is_story_whole ? ", last steps" : "") << ":\n";
  print_list(out, {explanation.story.end() - static_cast<std::ptrdiff_t>(shown), explanation.story.end()}, shown,
             "line");
}

void print_predicted(std::ostream& out, const app::Counterexample& of) {
  const app::PredictedTime& time = *of.predicted;
  std::string text = "Predicted on " + time.platform + ": ";
  text += time.seconds ? "it happens after " + app::in_seconds(TimePoint{} + Duration::from_seconds(*time.seconds))
                       : "it does not happen at the predicted dates";
  if (of.compute) text += "; " + app::describe(*of.compute);
  out << "  " << app::wrapped(text + ".", columns - 2, "  ") << '\n';
}

app::Json report_of(const app::Counterexample& counterexample) {
  app::Json json = {{"program", counterexample.program},
                    {"arguments", counterexample.arguments},
                    {"ranks", counterexample.ranks},
                    {"policy", to_text(counterexample.policy)},
                    {"finding", app::to_json(counterexample.finding)}};
  if (counterexample.predicted) json["predicted"] = to_json(*counterexample.predicted);
  if (counterexample.explanation) json["explanation"] = to_json(*counterexample.explanation);
  if (counterexample.is_of_actors) json["actors"] = to_json(counterexample).at("actors");
  else if (counterexample.loop) json["lasso"] = to_json(counterexample).at("lasso");
  return json;
}

void print(std::ostream& out, const app::ExplainReport& report) {
  const app::Counterexample& counterexample = report.counterexample;
  out << std::filesystem::path(counterexample.program).filename().string();
  for (const std::string& argument : counterexample.arguments) out << ' ' << argument;
  out << ", " << app::counted(counterexample.ranks, "rank") << ", where " << app::in_words(counterexample.policy)
      << "\n\n";
  if (report.is_outdated)
    out << "note: the program has changed since the check; run rehearse check again to see whether the fault "
           "remains\n\n";
  out << app::describe(counterexample.finding);
  out << "  more: docs/checks/" << counterexample.finding.id.family() << ".md\n";
  if (counterexample.loop) return print_endless(out, counterexample);
  if (counterexample.predicted) print_predicted(out, counterexample);
  if (counterexample.explanation) print_explanation(out, counterexample, *counterexample.explanation);
  else out << "\nSchedule: '" << to_text(counterexample.finding.witness) << "'. The file has no explanation.\n";
}

}  // namespace

int run_explain(const Arguments& arguments) {
  std::string file, json;
  bool quiet = false;
  Options parser("explain", "[options] FILE",
                 "Explains a counter-example: where each rank stops, and the steps that lead there.",
                 "rehearse explain rehearse-counterexample.json");
  parser.app().add_option("FILE", file, "a counter-example from rehearse check")->required();
  parser.app().add_option("--json", json, "file to write the explanation to, as JSON (-: standard output)");
  parser.app().add_flag("--quiet", quiet, "print no text");
  if (const auto status = parser.parse(arguments)) return *status;
  auto report = app::explain(file);
  if (!report) return report_error(report.error());
  const bool is_of_actors = report.value().counterexample.is_of_actors;
  if (!quiet && json != "-")
    is_of_actors ? print_explanation_of_actors(std::cout, report.value()) : print(std::cout, report.value());
  if (!json.empty()) {
    const Result<void> written = write_json(json, report_of(report.value().counterexample));
    if (!written) return report_error({"explain: --json: " + written.error().text});
  }
  return app::exit_good;
}

}  // namespace rehearse::cli
