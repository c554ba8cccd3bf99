// SPDX-License-Identifier: MIT
//
// rehearse run: runs a program in simulated time on a platform.
#include <iostream>

#include "app/cli/actor_verbs.hpp"
#include "app/cli/interrupt.hpp"
#include "app/cli/message.hpp"
#include "app/cli/rank_output.hpp"
#include "app/cli/recording/usage_options.hpp"
#include "app/cli/report/energy_report.hpp"
#include "app/cli/report/output_file.hpp"
#include "app/cli/report/statistics_file.hpp"
#include "app/cli/report/timed_report.hpp"
#include "app/cli/run_options.hpp"
#include "app/cli/simulation_line.hpp"
#include "app/cli/trace_commands.hpp"
#include "app/cli/verb_options.hpp"
#include "app/cli/verbs.hpp"
#include "app/exit_status.hpp"
#include "app/machine.hpp"
#include "app/run.hpp"
#include "app/timed_run.hpp"
#include "app/wording.hpp"
#include "simcore/engine.hpp"
#include "smpi/requirements.hpp"

namespace rehearse::cli {
namespace {

// The last line of a completed run.
void print_summary(const RunOptions& options, const app::Machine& machine, const app::TimedRun& run) {
  const bool is_for_a_script = options.json == "-";
  if (options.quiet || options.no_summary || is_for_a_script || !run.unsupported.empty()) return;
  const std::string_view library = smpi::foreign_library_of(options.request.job.path);
  if (!library.empty())
    std::cerr << "note: " << options.request.job.path << " was compiled for " << library
              << ", whose binary interface is translated\n";
  for (const std::string& note : notes_of(machine, run)) std::cerr << "note: " << note << '\n';
  std::cerr << "rehearse: " << summary_of(machine, run) << ", computation " << options.request.machine.compute.what
            << data_note(run) << ")\n";
}

// Prints the findings and the further lines of a run.
void print_run(const RunOptions& options, const app::MachineRun& done) {
  const app::TimedRun& run = done.run;
  for (const std::string& law : app::laws_of(run.sampling)) std::cerr << "rehearse: " << law << '\n';
  if (options.verbose || options.request.folding.above != 0)
    for (const std::string& line : app::lines_of(run.folding)) std::cerr << "rehearse: " << line << '\n';
  if (options.verbose)
    for (const std::string& line : app::lines_of(done.machine->description)) std::cerr << "rehearse: " << line << '\n';
  if (options.verbose && run.packets)
    std::cerr << "rehearse: " << app::line_of(*run.packets, done.wall_seconds) << '\n';
  if (run.energy) std::cerr << text_of(*run.energy, done.machine->platform);
  if (options.verbose && run.merged) std::cerr << "rehearse: " << app::line_of(*run.merged) << '\n';
  print_findings(run, options.request.job.path, options.verbose);
}

app::Json report_of(const RunOptions& options, const app::MachineRun& done) {
  const app::TimedRun& run = done.run;
  app::Json report = timed_report(*done.machine, run, done.wall_seconds);
  for (std::uint32_t rank = options.ranks; rank < run.result.actors.size(); ++rank)
    report["started"].push_back({{"rank", rank}, {"command", done.program->started_command({rank})}});
  if (!run.sampling.classes.empty()) report["sampling"] = app::to_json(run.sampling, options.request.sampling);
  if (!run.folding.sites.empty()) report["folding"] = app::to_json(run.folding);
  if (run.merged) report["merging"] = app::to_json(*run.merged);
  return report;
}

// The requested statistics and pictures. `program`: as the user named it.
Result<void> write_files(const RunOptions& options, const std::string& program, const app::MachineRun& done) {
  const app::TimedRun& run = done.run;
  const app::Machine& machine = *done.machine;
  const Subject subject{program, machine.platform, machine.network};
  if (run.statistics) {
    const Result<void> written = write_statistics(options.request.machine.statistics, *run.statistics, subject, "run",
                                                  notes_of(run, machine.platform));
    if (!written) return Error{"run: " + written.error().text};
  }
  if (run.usage)
    if (const auto written = write_usage(options.usage, {program, *run.usage}); !written)
      return Error{"run: " + written.error().text};
  if (!options.pictures.any()) return {};
  const Result<void> written = write_pictures(options.pictures, *run.recording, subject,
                                              timed_page("run", subject, run, options.request.machine.compute.what));
  if (!written) return Error{"run: " + written.error().text};
  return {};
}

// Later attempts print nothing and leave no files.
void hide(RunOptions& options) {
  app::RunRequest& request = options.request;
  request.discard_files = true;
  request.sampling.keeps_file = true;
  request.recorded = app::Recorded::nothing;
  request.trace.clear();
  request.machine.pcap.clear();
  request.machine.statistics = {};
  request.machine.usage = false;
  options.pictures = {};
}

// One attempt of a repeated run, in its process.
app::AttemptEnd attempt(RunOptions options, const std::string& program, const app::Attempt& of) {
  set_seed(of.seed, options.request);
  if (!of.is_shown()) hide(options);
  app::AttemptEnd end;
  const auto done = [&]() -> Result<app::MachineRun> {
    if (!of.is_shown()) return app::run(options.request);
    RankOutput output(options.ranks, options.label, std::cout, std::cerr);
    return app::run(options.request, &output);
  }();
  if (!done) {
    end.error = done.error().text;
    end.exit_status = done.error().is_inconclusive ? app::exit_inconclusive : app::exit_bad_input;
    return end;
  }
  const app::TimedRun& run = done.value().run;
  end.exit_status = exit_status_of(run);
  end.was_interrupted = run.result.was_interrupted;
  end.simulated_seconds = run.result.end.seconds();
  if (run.load && run.load->is_disturbed()) end.disturbance = run.load->disturbance();
  if (!of.is_shown()) end.text = findings_text(run, options.request.job.path, false);
  else if (!options.quiet) print_run(options, done.value());
  if (of.run > 0) return end;
  if (const auto written = write_files(options, program, done.value()); !written) {
    end.error = written.error().text;
    end.exit_status = app::exit_bad_input;
  }
  end.title = app::counted(options.ranks, "rank") + " on " + words_of(*done.value().machine) + ", computation " +
              options.request.machine.compute.what + data_note(run) + ")";
  end.notes = repeated_notes_of(*done.value().machine, run);
  end.report = report_of(options, done.value());
  return end;
}

int repeat_run(RunOptions& options, const std::string& program, const OptionSet& given) {
  if (options.repeat.more_if_disturbed)
    for (const char* name :
         {"--trace", "--timeline", "--sequence", "--report", "--usage", "--statistics", "--pcap", "--sample-file"})
      if (given.count(name) > 0)
        return report_error({std::string("run: ") + name + " and --repeat-disturbed exclude each other"});
  const std::string& compute = options.request.machine.compute.what;
  const auto repetition = repetition_of(options.repeat, compute == "measured" || compute == "sampled");
  if (!repetition) return report_error({"run: " + repetition.error().text});
  const Interrupt interrupt;
  options.request.machine.stop = interrupt.stop();
  return repeat_and_report(repetition.value(), [&](const app::Attempt& of) { return attempt(options, program, of); },
                           interrupt.stop(), {"run", options.json, options.quiet, !options.no_summary});
}

int run_program(Options& parser, const Arguments& arguments, bool records) {
  RunOptions options;
  declare(parser.app(), options, records ? RunVerb::record : RunVerb::run);
  if (is_of_actors(parser.program_in(arguments)))
    return records ? report_error({"trace record: is for MPI programs; this is a program of the actor API"})
                   : run_actors(arguments, parser.app().names());
  if (const auto status = parser.parse_with_program(arguments)) return *status;
  if (options.is_real) return report_error({"trace record: --real must be the first option"});
  if (!options.of.empty()) return report_error({"trace record: --of must be the first option"});
  if (const auto done = complete_request(options, parser.program()); !done) return report_error(done.error());
  if (options.repeat.is_wanted()) return repeat_run(options, parser.program()[0], parser.app());
  if (options.repeat.jobs) return report_error({"run: --jobs needs --repeat"});
  app::RunRequest& request = options.request;
  Result<app::MachineRun> done = Error{};
  {
    SimulationLine line(!options.quiet);
    request.machine.models.on_progress = line.shows();
    const Interrupt interrupt;
    request.machine.stop = interrupt.stop();
    RankOutput output(options.ranks, options.label, std::cout, std::cerr);
    done = app::run(request, &output);
  }
  if (!done) return report_error(done.error());
  if (!options.quiet) print_run(options, done.value());
  if (!options.json.empty())
    if (const auto written = write_json(options.json, report_of(options, done.value())); !written)
      return report_error({"run: --json: " + written.error().text});
  if (const auto written = write_files(options, parser.program()[0], done.value()); !written)
    return report_error(written.error());
  print_summary(options, *done.value().machine, done.value().run);
  return exit_status_of(done.value().run);
}

}  // namespace

int run_run(const Arguments& arguments) {
  Options parser("run", "-n N [options] PROGRAM [ARGS...] [: -n M PROGRAM [ARGS...]]...",
                 "Runs an MPI program in simulated time on a platform. The last line on standard error is the\n"
                 "simulated time.",
                 "rehearse run -n 4 --on cluster:4 ./ring");
  return run_program(parser, arguments, false);
}

int run_trace_record(const Arguments& arguments) {
  if (!arguments.empty() && arguments[0] == "--real") return run_trace_record_real(arguments);
  if (!arguments.empty() && arguments[0].starts_with("--of")) return run_trace_record_counterexample(arguments);
  Options parser("trace record", "[--real] -n N -o FILE [options] PROGRAM [ARGS...] [: -n M PROGRAM [ARGS...]]...",
                 "Runs an MPI program as rehearse run does, and records the run to a file. With --real as the first\n"
                 "option, the program runs under Open MPI or MPICH; with --of, the execution is that of a\n"
                 "counter-example. Their options: rehearse trace record --real --help, --of --help.",
                 "rehearse trace record -n 4 -o ring.rtrace --on cluster:4 ./ring");
  return run_program(parser, arguments, true);
}

}  // namespace rehearse::cli
