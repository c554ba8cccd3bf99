// SPDX-License-Identifier: MIT
//
// rehearse run of a program of the actor API.
#include <iostream>

#include "app/actor_run.hpp"
#include "app/cli/actor_verbs.hpp"
#include "app/cli/interrupt.hpp"
#include "app/cli/message.hpp"
#include "app/cli/read_job.hpp"
#include "app/cli/recording/usage_options.hpp"
#include "app/cli/report/output_file.hpp"
#include "app/cli/verb_options.hpp"
#include "app/exit_status.hpp"
#include "app/finding_json.hpp"
#include "app/version.hpp"
#include "app/wording.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::cli {
namespace {

struct ActorRunOptions {
  PictureOptions pictures;
  std::string json, usage;
  double max_time = 0;  // 0: no limit
  bool no_summary = false, quiet = false;
};

void declare(OptionSet& app, ActorRunOptions& options) {
  declare(app, options.pictures);
  declare_usage(app, options.usage);
  app.add_option("--max-time", options.max_time,
                 "cut the run after so many seconds of simulated time, and report what has happened until then")
      ->check(positive_number());
  app.add_option("--json", options.json, "file to write a report to, as JSON (-: standard output)");
  app.add_flag("--no-summary", options.no_summary, "do not print the line with the simulated time");
  app.add_flag("--quiet", options.quiet, "print nothing but the program's own output");
}

HtmlReport page_of(const std::string& program, const app::ActorRun& run) {
  HtmlReport page;
  page.verb = "run";
  page.program = program;
  const std::string end = app::in_seconds(run.run.end) + " of simulated time.";
  page.verdict = !run.findings.empty() ? "violation" : run.run.was_cut ? "inconclusive" : "completed";
  page.headline = !run.findings.empty() ? "The program has faults: see the findings."
                  : run.run.was_cut     ? "Cut after " + end
                                        : "The run ends without a finding, after " + end;
  page.facts = {{"actors", app::with_commas(run.pictures->recording.stops.size())},
                {"platform", run.run.platform},
                {"simulated time", app::in_seconds(run.run.end)}};
  for (const Finding& finding : run.findings) page.findings.push_back({finding, {}, ""});
  return page;
}

app::Json report_of(const std::string& program, const app::ActorRun& run) {
  app::Json json = {{"rehearse", app::version},
                    {"program", program},
                    {"platform", run.run.platform},
                    {"simulated_seconds", run.run.end.seconds()},
                    {"findings", app::Json::array()}};
  if (run.run.was_cut) json["cut"] = true;
  for (const Finding& finding : run.findings) json["findings"].push_back(app::to_json(finding));
  return json;
}

int report(const ActorRunOptions& options, const std::string& program, const app::ActorRun& run) {
  std::cerr << run.run.errors;
  if (run.run.was_interrupted) return report_error({"interrupted", true});
  if (!run.run.has_run && run.findings.empty())
    return report_error({program + ": ended without Simulation::run(): nothing was simulated"});
  if (!options.quiet)
    for (const Finding& finding : run.findings) std::cerr << "violation: " << app::describe_actors(finding);
  if (!options.json.empty())
    if (const auto written = write_json(options.json, report_of(program, run)); !written)
      return report_error({"run: --json: " + written.error().text});
  if (run.pictures)
    if (const auto written = write_pictures_of_actors(options.pictures, *run.pictures, page_of(program, run)); !written)
      return report_error({"run: " + written.error().text});
  if (!options.usage.empty()) {
    if (!run.run.uses) return report_error({"run: --usage: the program ended before its simulation did", true});
    if (const auto written = write_usage(options.usage, {program, *run.run.uses}); !written)
      return report_error({"run: " + written.error().text});
  }
  if (!options.quiet && !options.no_summary && options.json != "-" && !run.run.was_cut)
    std::cerr << "rehearse: the actors took " << app::in_seconds(run.run.end) << " on " << run.run.platform << '\n';
  if (!run.findings.empty()) return app::exit_violation;
  if (!run.run.was_cut) return app::exit_good;
  if (!options.quiet)
    std::cerr << "inconclusive: cut after " << app::in_seconds(run.run.end) << " of simulated time (--max-time)\n";
  return app::exit_inconclusive;
}

}  // namespace

int run_actors(const Arguments& arguments, const std::vector<std::string>& names) {
  ActorRunOptions options;
  Options parser("run", "[options] PROGRAM [ARGS...]",
                 "Runs a program of actors in simulated time, on the platform that it makes itself.",
                 "rehearse run --report run.html ./philosophers");
  declare(parser.app(), options);
  refuse_options_for_mpi(parser, names);
  if (const auto status = parser.parse_with_program(arguments)) return *status;
  if (const auto fit = check_pictures_of_actors(options.pictures); !fit)
    return report_error({"run: " + fit.error().text});
  const Arguments& words = parser.program();
  RemoteActorProgram::Launch launch{find_program(words[0]).value(), {words.begin() + 1, words.end()}};
  const Interrupt interrupt;
  launch.stop = interrupt.stop();
  app::ActorRunRequest request{std::move(launch), options.pictures.any(), !options.usage.empty()};
  if (options.max_time > 0) request.latest = TimePoint{} + Duration::from_seconds(options.max_time);
  const auto run = app::run_actors(request);
  if (!run) return report_error({"run: " + run.error().text, run.error().is_inconclusive});
  return report(options, words[0], run.value());
}

}  // namespace rehearse::cli
