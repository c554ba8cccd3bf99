// SPDX-License-Identifier: MIT
//
// rehearse replay of a counter-example of a program of the actor API.
#include <filesystem>
#include <iostream>

#include "app/actor_run.hpp"
#include "app/cli/actor_verbs.hpp"
#include "app/cli/interrupt.hpp"
#include "app/cli/message.hpp"
#include "app/cli/report/output_file.hpp"
#include "app/cli/verb_options.hpp"
#include "app/exit_status.hpp"
#include "app/finding_json.hpp"
#include "app/replay.hpp"
#include "app/version.hpp"
#include "app/wording.hpp"

namespace rehearse::cli {
namespace {

struct ActorReplayOptions {
  std::string file, json;
  PictureOptions pictures;
  double step_seconds = 60;
  bool quiet = false;
};

void declare(OptionSet& app, ActorReplayOptions& options) {
  app.add_option("FILE", options.file, "a counter-example from rehearse check")->required();
  app.add_option("--max-step-seconds", options.step_seconds,
                 "report a step that takes longer than this, in seconds (default 60)")
      ->check(positive_number());
  app.add_option("--json", options.json, "file to write a report to, as JSON (-: standard output)");
  declare(app, options.pictures);
  app.add_flag("--quiet", options.quiet, "print nothing but the program's own output");
}

HtmlReport page_of(const app::Counterexample& of, const app::ActorReplay& replay) {
  HtmlReport page;
  page.verb = "replay";
  page.program = of.program;
  page.verdict = replay.is_same ? "violation" : "inconclusive";
  page.headline = of.finding.id.text() + (replay.is_same ? " happens again." : " did not happen again.");
  page.facts = {{"platform", replay.platform}, {"simulated time", app::in_seconds(replay.walk.end)}};
  for (const Finding& finding : replay.walk.findings) page.findings.push_back({finding, {}, ""});
  return page;
}

app::Json report_of(const app::Counterexample& of, const app::ActorReplay& replay) {
  app::Json json = {{"rehearse", app::version},     {"program", of.program},
                    {"platform", replay.platform},  {"schedule", to_text(of.finding.witness)},
                    {"reproduced", replay.is_same}, {"simulated_seconds", replay.walk.end.seconds()},
                    {"steps", app::Json::array()},  {"findings", app::Json::array()}};
  for (const app::ActorStep& step : replay.walk.steps)
    json["steps"].push_back({{"seconds", step.at.seconds()}, {"step", step.text}});
  for (const Finding& finding : replay.walk.findings) json["findings"].push_back(app::to_json(finding));
  return json;
}

void print_answer(const app::Counterexample& of, const app::ActorReplay& replay) {
  for (const Finding& finding : replay.walk.findings) std::cout << app::describe_actors(finding);
  std::cout << std::flush;
  if (replay.is_same) {
    std::cerr << "violation: reproduced " << of.finding.id << '\n';
    return;
  }
  std::cerr << "inconclusive: "
            << (replay.walk.unsupported.empty()
                    ? of.finding.id.text() + " did not happen again" +
                          (is_elsewhere(of) ? " (it was checked in the folder " + of.folder + ")" : "") +
                          "; the program may depend on simulated dates"
                    : replay.walk.unsupported)
            << '\n';
}

int report(const ActorReplayOptions& options, const app::Counterexample& of, const app::ActorReplay& replay) {
  std::cerr << replay.errors;
  if (!options.quiet && options.json != "-") print_answer(of, replay);
  if (!options.json.empty())
    if (const auto written = write_json(options.json, report_of(of, replay)); !written)
      return report_error({"replay: --json: " + written.error().text});
  if (replay.pictures)
    if (const auto written = write_pictures_of_actors(options.pictures, *replay.pictures, page_of(of, replay));
        !written)
      return report_error({"replay: " + written.error().text});
  return replay.is_same ? app::exit_violation : app::exit_inconclusive;
}

}  // namespace

int replay_actors(const Arguments& arguments, const std::vector<std::string>& names) {
  ActorReplayOptions options;
  Options parser("replay", "[options] FILE",
                 "Reproduces the finding of a counter-example in simulated time, on the platform of the program.",
                 "rehearse replay rehearse-counterexample.json");
  declare(parser.app(), options);
  refuse_options_for_mpi(parser, names);
  if (const auto status = parser.parse(arguments)) return *status;
  if (const auto fit = check_pictures_of_actors(options.pictures); !fit)
    return report_error({"replay: " + fit.error().text});
  auto read = app::read_to_replay(options.file, options.step_seconds);
  if (!read) return report_error(read.error());
  const Interrupt interrupt;
  app::ActorReplayRequest request{std::move(read.value().counterexample), options.step_seconds, options.pictures.any(),
                                  interrupt.stop()};
  const bool prints = !options.quiet && options.json != "-";
  const auto replay = app::replay_actors(request, [&](const app::ActorStep& step) {
    if (prints) std::cout << "  " << app::in_seconds(step.at) << "  " << step.text << std::endl;
  });
  if (!replay) return report_error({"replay: " + replay.error().text, replay.error().is_inconclusive});
  return report(options, request.counterexample, replay.value());
}

}  // namespace rehearse::cli
