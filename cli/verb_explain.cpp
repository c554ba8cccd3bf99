// SPDX-License-Identifier: MIT
//
// rehearse explain: a counter-example, for people.
#include <filesystem>
#include <iostream>

#include "cli/counterexample.hpp"
#include "cli/exit_status.hpp"
#include "cli/message.hpp"
#include "cli/verb_options.hpp"
#include "cli/policies.hpp"
#include "cli/report/json.hpp"
#include "cli/report/wording.hpp"
#include "cli/verbs.hpp"
#include "simcore/schedule.hpp"

namespace rehearse::cli {
namespace {

std::string message_name(const SendName& send) {
  return "the message that rank " + std::to_string(send.source.value) + " started as its request " +
         std::to_string(send.request.value);
}

std::string in_words(const Answer& answer) {
  if (!answer.flag) return "\"not yet\"";
  if (answer.completed.empty()) return "\"there is " + message_name(answer.seen) + "\"";
  std::vector<std::string> indices;
  for (const std::uint32_t index : answer.completed) indices.push_back(std::to_string(index));
  return "\"done: " + list_of(indices) + "\" of its list";
}

// The choices that lead there.
void print_schedule(std::ostream& out, const Schedule& schedule) {
  if (schedule.matches.empty() && schedule.answers.empty()) {
    out << "  It needs no choice: nothing is received before it.\n";
    return;
  }
  out << "  It needs these choices (the numbers are those of the requests that a rank started):\n";
  for (const auto& [receive, send] : schedule.matches) {
    out << "    rank " << receive.first.value << "'s receive " << receive.second.value << " takes "
        << message_name(send) << '\n';
  }
  for (const auto& [operation, answer] : schedule.answers) {
    out << "    rank " << operation.first.value << "'s operation " << operation.second << " is answered "
        << in_words(answer) << '\n';
  }
}

Json report_of(const Counterexample& counterexample) {
  return {{"program", counterexample.program},
          {"arguments", counterexample.arguments},
          {"ranks", counterexample.ranks},
          {"policy", mc::to_text(counterexample.policy)},
          {"finding", to_json(counterexample.finding)}};
}

}  // namespace

int run_explain(const Arguments& arguments) {
  std::string file, json;
  bool quiet = false;
  Options parser("explain", "[options] FILE",
                 "Says what a counter-example is about: where each rank stands, and what led there.",
                 "rehearse explain rehearse-counterexample.json");
  parser.app().add_option("FILE", file, "a counter-example that rehearse check wrote")->required();
  parser.app().add_option("--json", json, "the same as JSON, to this file (-: standard output)");
  parser.app().add_flag("--quiet", quiet, "no text");
  if (const auto status = parser.parse(arguments)) return *status;
  auto read = read_counterexample(file);
  if (!read) return report_error(read.error());
  const Counterexample& counterexample = read.value();
  auto schedule = parse_schedule(counterexample.finding.schedule);
  if (!schedule) return report_error({file + ": schedule: " + schedule.error().text});
  if (!quiet && json != "-") {
    std::cout << std::filesystem::path(counterexample.program).filename().string();
    for (const std::string& argument : counterexample.arguments) std::cout << ' ' << argument;
    std::cout << ", " << counted(counterexample.ranks, "rank") << ", where " << in_words(counterexample.policy)
              << "\n\n"
              << describe(counterexample.finding) << '\n';
    print_schedule(std::cout, schedule.value());
  }
  if (!json.empty()) {
    const std::string problem = write_json(json, report_of(counterexample));
    if (!problem.empty()) return report_error({"explain: --json: " + problem});
  }
  return exit_good;
}

}  // namespace rehearse::cli
