// SPDX-License-Identifier: MIT
//
// rehearse replay: reproduces a counter-example in simulated time on a platform.
//
// With --compute none the report does not depend on this machine's clock: two replays give the same bytes.
#include <algorithm>
#include <filesystem>
#include <iomanip>
#include <iostream>

#include "app/cli/actor_verbs.hpp"
#include "app/cli/debugger.hpp"
#include "app/cli/interrupt.hpp"
#include "app/cli/machine_options.hpp"
#include "app/cli/message.hpp"
#include "app/cli/rank_output.hpp"
#include "app/cli/recording/picture_options.hpp"
#include "app/cli/report/energy_report.hpp"
#include "app/cli/report/output_file.hpp"
#include "app/cli/report/statistics_file.hpp"
#include "app/cli/report/timed_report.hpp"
#include "app/cli/trace_commands.hpp"
#include "app/cli/verb_options.hpp"
#include "app/cli/verbs.hpp"
#include "app/counterexample.hpp"
#include "app/exit_status.hpp"
#include "app/finding_json.hpp"
#include "app/machine.hpp"
#include "app/policies.hpp"
#include "app/replay.hpp"
#include "app/version.hpp"
#include "app/wording.hpp"
#include "simcore/schedule.hpp"
#include "simcore/support/format.hpp"
#include "trace/format.hpp"

namespace rehearse::cli {
namespace {

struct ReplayOptions {
  std::string file;
  app::MachineOptions machine;
  std::string json, trace;
  PictureOptions pictures;
  double step_seconds = 60;
  bool label = false, quiet = false;
  bool gdb = false;
  std::optional<std::uint32_t> rank;  // that gdb shows; none: all
};

void print_stops(std::ostream& out, const std::vector<app::RankStop>& stops) {
  std::size_t width = 0;
  for (const app::RankStop& stop : stops) width = std::max(width, stop.host.size());
  for (const app::RankStop& stop : stops) {
    out << "  rank " << stop.rank << " on " << std::left << std::setw(static_cast<int>(width)) << stop.host << ' '
        << name_of(stop.state) << " at " << app::in_seconds(stop.time);
    if (!stop.where.call.empty()) out << " in " << stop.where.call;
    if (!stop.where.file.empty()) out << ", " << app::place_of(stop.where);
    out << '\n';
  }
}

app::Json report_of(const app::ReplayRequest& request, const app::Replay& replay) {
  const app::Counterexample& counterexample = request.counterexample;
  app::Json json = {{"rehearse", app::version},
                    {"program", counterexample.program},
                    {"ranks", counterexample.ranks},
                    {"platform", replay.machine->platform.name()},
                    {"compute", request.machine.compute.what},
                    {"policy", to_text(counterexample.policy)},
                    {"schedule", to_text(counterexample.finding.witness)},
                    {"reproduced", replay.is_same},
                    {"simulated_seconds", replay.run.result.end.seconds()},
                    {"stops", app::Json::array()},
                    {"findings", app::Json::array()}};
  for (const app::RankStop& stop : replay.stops) {
    json["stops"].push_back({{"rank", stop.rank},
                             {"host", stop.host},
                             {"seconds", stop.time.seconds()},
                             {"state", name_of(stop.state)},
                             {"call", stop.where.call},
                             {"file", stop.where.file},
                             {"line", stop.where.line},
                             {"function", stop.where.function}});
  }
  for (const Finding& finding : replay.run.findings) json["findings"].push_back(app::to_json(finding));
  if (replay.run.energy) json["energy"] = app::to_json(*replay.run.energy, replay.machine->platform);
  if (replay.likely) json["likely"] = to_json(*replay.likely);
  return json;
}

// The page without the pictures.
HtmlReport page_of(const app::Counterexample& counterexample, const Subject& subject, const app::Replay& replay) {
  HtmlReport page;
  page.verb = "replay";
  page.program = std::filesystem::path(counterexample.program).filename().string();
  const bool reproduced = replay.is_same;
  page.verdict = reproduced ? "violation" : "inconclusive";
  const std::string when = app::in_seconds(replay.run.result.end);
  page.headline = counterexample.finding.id.text() +
                  (reproduced ? " happens again, after " + when + "." : std::string(" did not happen again."));
  page.facts = {{"ranks", app::with_commas(counterexample.ranks)},
                {"platform", subject.platform.name()},
                {"network", subject.network},
                {"policy", app::in_words(counterexample.policy)}};
  if (replay.run.energy) page.tables = tables_of(*replay.run.energy, subject.platform);
  for (const Finding& finding : replay.run.findings) page.findings.push_back({finding, {}, ""});
  return page;
}

// The behaviour of a program may depend on its current folder.
std::string elsewhere(const app::Counterexample& counterexample) {
  return is_elsewhere(counterexample) ? " (it was checked in the folder " + counterexample.folder + ")" : "";
}

void print_ranks(const app::Counterexample& counterexample, const app::Replay& replay) {
  const std::string& platform = replay.machine->platform.name();
  std::cout << std::filesystem::path(counterexample.program).filename().string() << ", "
            << app::counted(counterexample.ranks, "rank") << " on " << platform << ", where "
            << app::in_words(counterexample.policy) << ":\n";
  print_stops(std::cout, replay.stops);
  if (replay.run.energy) std::cout << text_of(*replay.run.energy, replay.machine->platform);
  if (replay.likely) std::cout << text_of(*replay.likely, counterexample.finding, platform);
  std::cout << std::flush;
}

void print_answer(const app::ReplayRequest& request, const app::Replay& replay) {
  const FindingId& id = request.counterexample.finding.id;
  if (replay.is_same)
    std::cerr << "violation: reproduced " << id
              << (replay.is_untimed ? " without simulated time; it does not happen at the dates of this platform" : "")
              << '\n';
  else if (replay.run.result.was_interrupted)
    std::cerr << "inconclusive: " << app::list_of(replay.run.unsupported) << '\n';
  else
    std::cerr << "inconclusive: " << id << " did not happen again" << elsewhere(request.counterexample)
              << (request.machine.compute.is_counted() ? "; it may happen without computation time (--compute none)"
                                                       : "")
              << '\n';
}

int report(const ReplayOptions& options, const app::ReplayRequest& request, const app::Replay& replay) {
  const app::Counterexample& counterexample = request.counterexample;
  const Subject subject{counterexample.program, replay.machine->platform, replay.machine->network};
  if (replay.run.statistics) {
    const Result<void> written = write_statistics(options.machine.statistics, *replay.run.statistics, subject, "replay",
                                                  notes_of(replay.run, replay.machine->platform));
    if (!written) return report_error({"replay: " + written.error().text});
  }
  if (options.pictures.any()) {
    const Result<void> written =
        write_pictures(options.pictures, *replay.run.recording, subject, page_of(counterexample, subject, replay));
    if (!written) return report_error({"replay: " + written.error().text});
  }
  if (!options.quiet && options.json != "-") print_ranks(counterexample, replay);
  if (!options.quiet) print_answer(request, replay);
  if (!options.json.empty()) {
    const Result<void> written = write_json(options.json, report_of(request, replay));
    if (!written) return report_error({"replay: --json: " + written.error().text});
  }
  return replay.is_same ? app::exit_violation : app::exit_inconclusive;
}

app::ReplayRequest replay_of(const ReplayOptions& options, app::Counterexample counterexample, const OptionSet& app) {
  app::ReplayRequest request{std::move(counterexample),    options.machine, options.step_seconds,
                             needed_for(options.pictures), options.trace,   !options.machine.on.empty()};
  const std::optional<app::ComputeOptions>& compute = request.counterexample.compute;
  if (compute && given_compute_option(app).empty()) request.machine.compute = *compute;
  return request;
}

void declare(OptionSet& app, ReplayOptions& options, bool records) {
  app.add_option(records ? "--of" : "FILE", options.file, "a counter-example from rehearse check")->required();
  declare(app, options.machine);
  declare_statistics(app, options.machine.statistics);
  declare_capture(app, options.machine.pcap);
  declare_energy(app, options.machine.energy);
  app.add_option("--max-step-seconds", options.step_seconds,
                 "report a rank that computes for more seconds than this without a call (default 60)")
      ->check(positive_number());
  app.add_flag("--label", options.label, "begin each line of output with its rank");
  app.add_option("--json", options.json, "file to write a report to, as JSON (-: standard output)");
  Option* trace = app.add_option(records ? "-o,--output,--trace" : "--trace", options.trace,
                                 "file to record the execution to, for rehearse trace replay");
  if (records) trace->required();
  declare(app, options.pictures);
  app.add_flag("--quiet", options.quiet, "print nothing but the program's own output");
  if (records) return;
  app.add_flag("--gdb", options.gdb, "run under gdb and stop where the counter-example ends");
  app.add_option("--rank", options.rank, "with --gdb: rank to show (default: all)");
}

bool is_about_actors(const std::string& file) {
  const auto read = app::read_counterexample(file);
  return read && read.value().is_of_actors;
}

int replay_counterexample(Options& parser, const Arguments& arguments, bool records) {
  ReplayOptions options;
  declare(parser.app(), options, records);
  parser.refuse({"--seed"});
  if (const auto status = parser.parse(arguments)) return *status;
  if (is_about_actors(options.file))
    return records ? report_error({"trace record: is for MPI programs; " + options.file +
                                   " is about a program of the actor API"})
                   : replay_actors(arguments, parser.app().names());
  if (options.rank && !options.gdb) return report_error({"replay: --rank needs --gdb"});
  if (trace::is_surely_trace(options.file))
    return report_error({options.file + ": this is a trace; use rehearse trace replay " + options.file});
  auto read = app::read_to_replay(options.file, options.step_seconds);
  if (!read) return report_error(read.error());
  if (!options.quiet && !read.value().changed.empty())
    std::cerr << "note: " << read.value().changed << "; its decisions were found again by their places\n";
  app::ReplayRequest request = replay_of(options, std::move(read.value().counterexample), parser.app());
  if (!request.trace.empty() && request.counterexample.failures > 0)
    return report_error(
        {"replay: --trace: in " + options.file + " ranks can fail (check --failures); recordings have no failures"});
  const std::uint32_t ranks = request.counterexample.ranks;
  if (options.rank && *options.rank >= ranks)
    return report_error({fmt::format("replay: --rank: '{}' given; accepted: 0 to {}", *options.rank, ranks - 1)});
  if (options.gdb) return become_gdb(arguments, options.rank);
  // If the report goes to standard output, the program's own output goes to standard error.
  std::optional<RankOutput> output(std::in_place, ranks, options.label, options.json == "-" ? std::cerr : std::cout,
                                   std::cerr);
  const auto replayed = [&](const smpi::LoadedProgram& program) {
    output.reset();  // complete before a debugger stops
    stop_for_debuggers(program);
  };
  std::optional<Interrupt> interrupt(std::in_place);
  request.machine.stop = interrupt->stop();
  const Result<app::Replay> again = app::replay(request, {&*output, replayed});
  interrupt.reset();
  output.reset();
  if (!again) return report_error({"replay: " + again.error().text, again.error().is_inconclusive});
  return report(options, request, again.value());
}

}  // namespace

int run_replay(const Arguments& arguments) {
  Options parser("replay", "[options] FILE",
                 "Reproduces the finding of a counter-example in simulated time on a platform.",
                 "rehearse replay rehearse-counterexample.json --on cluster:4");
  return replay_counterexample(parser, arguments, false);
}

int run_trace_record_counterexample(const Arguments& arguments) {
  Options parser("trace record --of", "FILE -o FILE [options]",
                 "Reproduces the finding of a counter-example as rehearse replay does, and records the execution.",
                 "rehearse trace record --of rehearse-counterexample.json -o bug.rtrace");
  return replay_counterexample(parser, arguments, true);
}

}  // namespace rehearse::cli
