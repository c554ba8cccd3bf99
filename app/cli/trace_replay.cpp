// SPDX-License-Identifier: MIT
//
// rehearse trace replay: a recorded execution in simulated time on a platform.
#include <iostream>

#include "app/cli/interrupt.hpp"
#include "app/cli/log_gops_options.hpp"
#include "app/cli/machine_options.hpp"
#include "app/cli/message.hpp"
#include "app/cli/recording/picture_options.hpp"
#include "app/cli/recording/usage_options.hpp"
#include "app/cli/repeat_options.hpp"
#include "app/cli/report/energy_report.hpp"
#include "app/cli/report/log_gops_report.hpp"
#include "app/cli/report/output_file.hpp"
#include "app/cli/report/statistics_file.hpp"
#include "app/cli/report/timed_report.hpp"
#include "app/cli/simulation_line.hpp"
#include "app/cli/trace_commands.hpp"
#include "app/cli/trace_options.hpp"
#include "app/cli/trace_sweep.hpp"
#include "app/cli/verb_options.hpp"
#include "app/exit_status.hpp"
#include "app/log_gops_replay.hpp"
#include "app/recorded_volume.hpp"
#include "app/trace_caveats.hpp"
#include "app/trace_replay.hpp"
#include "app/wording.hpp"

namespace rehearse::cli {
namespace {

struct TraceReplayOptions {
  app::TraceReplayRequest request;
  app::LogGopsRequest log_gops;
  SweepOptions sweep;
  RepeatOptions repeat;
  std::string json;
  PictureOptions pictures;
  std::string usage;
  bool quiet = false, no_summary = false, verbose = false;
};

void declare(OptionSet& app, TraceReplayOptions& options) {
  declare_trace(app, options.request.file, true);
  declare_replay(app, options.request);
  declare_capture(app, options.request.machine.pcap);
  declare_energy(app, options.request.machine.energy);
  cli::declare(app, options.log_gops);
  app.add_option("--until", options.request.until_seconds,
                 "replay only so many seconds of simulated time, and report what has happened until then")
      ->check(positive_number());
  declare(app, options.sweep);
  declare_seed(app, options.repeat, "--noise, packet losses and routes, random profiles");
  declare_repeat(app, options.repeat, false);
  declare_statistics(app, options.request.machine.statistics);
  app.add_option("--json", options.json, "file to write a report to, as JSON (-: standard output)");
  cli::declare(app, options.pictures);
  declare_usage(app, options.usage);
  app.add_flag("--quiet", options.quiet, "print nothing; only set the exit status, and write the files");
  app.add_flag("--no-summary", options.no_summary, "do not print the line with the simulated time at the end");
  app.add_flag("--verbose", options.verbose, "also print warnings, and the numbers of the network with their origins");
}

app::Json trace_report(const app::TraceReplay& replay) {
  app::Json json = timed_report(*replay.machine, replay.run, replay.wall_seconds);
  if (replay.run.packets)
    json["packets"] = to_json(*replay.run.packets, notes_of(replay.run, replay.machine->platform));
  json["network"] = replay.machine->network;
  json["actions"] = replay.actions;
  json["format"] = replay.format;
  json["volume"] = app::volume_in(replay.format, replay.about).name();
  app::Json ranks = app::Json::array();
  for (std::uint32_t rank = 0; rank < replay.run.result.actors.size(); ++rank) {
    app::Json each = json["ranks"][rank];
    const bool ended = replay.run.result.outcome.actors[rank].state == ActorOutcome::State::ended;
    each["end_seconds"] = ended ? app::Json(replay.run.result.actors[rank].stopped.seconds()) : app::Json(nullptr);
    ranks.push_back(std::move(each));
  }
  json["ranks"] = std::move(ranks);
  return json;
}

void print_trace_summary(const TraceReplayOptions& options, const app::TraceReplay& replay) {
  const bool is_for_a_script = options.json == "-";
  if (options.quiet || options.no_summary || is_for_a_script || !replay.run.unsupported.empty()) return;
  for (const std::string& note : notes_of(*replay.machine, replay.run)) std::cerr << "note: " << note << '\n';
  std::cerr << "rehearse: " << summary_of(*replay.machine, replay.run) << ", " << app::counted(replay.actions, "action")
            << " of a trace" << data_note(replay.run) << ")\n";
}

app::Json full_report(const TraceReplayOptions& options, const app::TraceReplay& replay) {
  app::Json json = trace_report(replay);
  json["caveats"] = app::Json(app::caveats_of(options.request, replay));
  return json;
}

void describe_repeated(const TraceReplayOptions& options, const app::TraceReplay& replay, app::AttemptEnd& end) {
  end.was_interrupted = replay.run.result.was_interrupted;
  end.text = options.quiet ? findings_text(replay.run, options.request.file, false) : "";
  end.title = app::counted(replay.run.result.actors.size(), "rank") + " on " + words_of(*replay.machine) + ", " +
              app::counted(replay.actions, "action") + " of a trace" + data_note(replay.run) + ")";
  end.notes = repeated_notes_of(*replay.machine, replay.run);
  end.report = full_report(options, replay);
}

// A replay with these options, or its error; prints findings and writes the requested files.
Result<SweepPoint> replay_in_log_gops(TraceReplayOptions& options) {
  const auto done = app::replay_log_gops(options.log_gops);
  if (!done) return done.error();
  const app::LogGopsReplay& replay = done.value();
  if (!options.quiet) print_findings(replay.findings, replay.unsupported, options.request.file, options.verbose);
  if (!options.json.empty()) {
    const Result<void> written = write_json(options.json, log_gops_report(replay, options.log_gops.parameters));
    if (!written) return Error{"trace replay: --json: " + written.error().text};
  }
  if (!options.quiet && !options.no_summary && options.json != "-" && replay.unsupported.empty())
    std::cerr << "rehearse: " << summary_of(replay) << '\n';
  return SweepPoint{static_cast<double>(replay.end_ns()) * 1e-9, exit_status_of(replay.findings, replay.unsupported)};
}

void set_seed(std::uint64_t seed, TraceReplayOptions& options, const OptionSet& given) {
  options.request.machine.models.seed = seed;
  if (given.count("--noise-seed") == 0) options.request.alterations.noise.seed = seed;
}

// `repeated`: gets what a repetition reports of the replay; null: it is not repeated.
Result<SweepPoint> replay_on_platform(TraceReplayOptions& options, app::AttemptEnd* repeated = nullptr) {
  options.request.recorded = needed_for(options.pictures);
  options.request.machine.usage = !options.usage.empty();
  const Result<app::TraceReplay> done = [&] {
    SimulationLine line(!options.quiet);
    options.request.machine.models.on_progress = line.shows();
    return app::replay_any(options.request);
  }();
  if (!done) return done.error();
  const app::TraceReplay& replay = done.value();
  if (!options.quiet) print_findings(replay.run, options.request.file, options.verbose);
  if (!options.quiet && replay.run.energy) std::cerr << text_of(*replay.run.energy, replay.machine->platform);
  if (!options.json.empty())
    if (const auto written = write_json(options.json, full_report(options, replay)); !written)
      return Error{"trace replay: --json: " + written.error().text};
  const Subject subject{options.request.file, replay.machine->platform, replay.machine->network};
  if (replay.run.statistics) {
    const Result<void> written = write_statistics(options.request.machine.statistics, *replay.run.statistics, subject,
                                                  "trace replay", notes_of(replay.run, replay.machine->platform));
    if (!written) return Error{"trace replay: " + written.error().text};
  }
  if (replay.run.usage)
    if (const auto written = write_usage(options.usage, {options.request.file, *replay.run.usage}); !written)
      return Error{"trace replay: " + written.error().text};
  if (options.pictures.any()) {
    const Result<void> written =
        write_pictures(options.pictures, *replay.run.recording, subject,
                       timed_page("trace replay", subject, replay.run, "volumes of the trace"));
    if (!written) return Error{"trace replay: " + written.error().text};
  }
  if (options.verbose && !options.quiet)
    for (const std::string& line : app::lines_of(replay.machine->description))
      std::cerr << "rehearse: " << line << '\n';
  if (options.verbose && !options.quiet && replay.run.packets)
    std::cerr << "rehearse: " << app::line_of(*replay.run.packets, replay.wall_seconds) << '\n';
  if (options.verbose && !options.quiet)
    for (const std::string& caveat : app::caveats_of(options.request, replay))
      std::cerr << "caveat: " << caveat << '\n';
  if (repeated == nullptr) print_trace_summary(options, replay);
  else describe_repeated(options, replay, *repeated);
  return SweepPoint{replay.run.result.end.seconds(), exit_status_of(replay.run)};
}

Result<SweepPoint> replay_once(TraceReplayOptions& options, const OptionSet& given) {
  const auto kind = choose_replay(options.request, options.log_gops, given);
  if (!kind) return Error{"trace replay: " + kind.error().text};
  if (options.repeat.seed) set_seed(*options.repeat.seed, options, given);
  return kind.value() == ReplayKind::log_gops ? replay_in_log_gops(options) : replay_on_platform(options);
}

// One replay of a repetition, in its process. Later ones print nothing and write no files.
app::AttemptEnd attempt(TraceReplayOptions options, const OptionSet& given, const app::Attempt& of) {
  set_seed(of.seed, options, given);
  options.json.clear();
  if (!of.is_shown()) {
    options.quiet = true;
    options.pictures = {};
    options.usage.clear();
    options.request.machine.pcap.clear();
    options.request.machine.statistics = {};
  }
  app::AttemptEnd end;
  const auto done = replay_on_platform(options, &end);
  if (!done) {
    end.error = done.error().text;
    end.exit_status = done.error().is_inconclusive ? app::exit_inconclusive : app::exit_bad_input;
    return end;
  }
  end.exit_status = done.value().exit_status;
  end.simulated_seconds = done.value().seconds;
  if (of.run > 0) end.report = nullptr;
  return end;
}

int repeat_replay(TraceReplayOptions& options, const OptionSet& given) {
  const auto kind = choose_replay(options.request, options.log_gops, given);  // LogGOPS refuses --repeat
  if (!kind) return report_error({"trace replay: " + kind.error().text});
  const auto repetition = repetition_of(options.repeat, false);
  if (!repetition) return report_error({"trace replay: " + repetition.error().text});
  const Interrupt interrupt;
  options.request.machine.stop = interrupt.stop();
  return repeat_and_report(repetition.value(), [&](const app::Attempt& of) { return attempt(options, given, of); },
                           interrupt.stop(), {"trace replay", options.json, options.quiet, !options.no_summary});
}

// Owns the parser and the values that it sets.
struct ReplayCommand {
  ReplayCommand() { declare(parser.app(), options); }

  TraceReplayOptions options;
  Options parser{"trace replay", "[options] TRACE",
                 "Replays a trace, an execution that was recorded without dates, in simulated time on a platform. The\n"
                 "last line on standard error is the simulated time.",
                 "rehearse trace replay --on cluster:16 lu.ti"};
};

// Replays with each combination of the values: reads the arguments again, with one more for each swept option.
int replay_sweep(const Arguments& arguments, const TraceReplayOptions& base, const OptionSet& given) {
  for (const char* name :
       {"--timeline", "--sequence", "--report", "--usage", "--statistics", "--pcap", "--energy", "--repeat", "--until"})
    if (given.count(name) > 0)
      return report_error({std::string("trace replay: ") + name + " and --sweep exclude each other"});
  auto sweep = Sweep::make(base.sweep, given);
  if (!sweep) return report_error({"trace replay: " + sweep.error().text});
  for (std::size_t i = 0; i < sweep.value().size(); ++i) {
    ReplayCommand command;
    TraceReplayOptions& options = command.options;
    Arguments with_values = arguments;
    for (const std::string& argument : sweep.value().arguments(i)) with_values.push_back(argument);
    if (const auto status = command.parser.parse(with_values)) return *status;
    options.json.clear();
    options.quiet = options.no_summary = true;
    const auto done = replay_once(options, command.parser.app());
    if (!done) return report_error(done.error());
    sweep.value().note(i, done.value());
  }
  return sweep.value().finish({base.request.file, base.json, base.sweep.csv, base.quiet});
}

}  // namespace

int run_trace_replay(const Arguments& arguments) {
  ReplayCommand command;
  if (const auto status = command.parser.parse(arguments)) return *status;
  TraceReplayOptions& options = command.options;
  if (!options.sweep.csv.empty() && options.sweep.items.empty())
    return report_error({"trace replay: --csv needs --sweep"});
  if (!options.sweep.items.empty()) return replay_sweep(arguments, options, command.parser.app());
  if (options.repeat.is_wanted() && options.request.until_seconds)
    return report_error({"trace replay: --repeat and --until exclude each other"});
  if (options.repeat.is_wanted()) return repeat_replay(options, command.parser.app());
  if (options.repeat.jobs) return report_error({"trace replay: --jobs needs --repeat"});
  const Interrupt interrupt;
  options.request.machine.stop = interrupt.stop();
  const auto done = replay_once(options, command.parser.app());
  return done ? done.value().exit_status : report_error(done.error());
}

}  // namespace rehearse::cli
