// SPDX-License-Identifier: MIT
//
// rehearse profile record: the times of the computations of a timed run.
#include <iostream>

#include "app/cli/interrupt.hpp"
#include "app/cli/message.hpp"
#include "app/cli/profile_commands.hpp"
#include "app/cli/rank_output.hpp"
#include "app/cli/report/output_file.hpp"
#include "app/cli/report/timed_report.hpp"
#include "app/cli/run_options.hpp"
#include "app/cli/simulation_line.hpp"
#include "app/cli/verb_options.hpp"
#include "app/interval_recorder.hpp"
#include "app/wording.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::cli {
namespace {

// The last lines of a run that was recorded.
void print_recorded(const RunOptions& options, const app::MachineRun& done, const app::IntervalCost& cost,
                    const std::string& file) {
  std::cerr << "rehearse: " << app::with_commas(cost.intervals) << " intervals of "
            << app::counted(options.ranks, "rank") << " in " << file
            << fmt::format("; recording one took {:.0f} ns, outside of the times\n", cost.nanoseconds);
  const std::string& compute = options.request.machine.compute.what;
  if (compute == "measured") {
    std::cerr << "note: the times have the noise of this machine, on which all ranks take turns (--compute "
                 "instructions counts instead)\n";
  }
  for (const std::string& note : notes_of(*done.machine, done.run)) std::cerr << "note: " << note << '\n';
}

}  // namespace

int run_profile_record(const Arguments& arguments) {
  RunOptions options;
  std::string file, markers = "auto";
  Options parser("profile record", "-n N -o FILE [options] PROGRAM [ARGS...]",
                 "Runs an MPI program as rehearse run does, and writes the time of each computation between two MPI\n"
                 "calls, or of each named region, to a CSV file: rank,marker,iteration,seconds,messages,bytes.",
                 "rehearse profile record -n 8 -o cg.csv ./cg");
  declare(parser.app(), options, RunVerb::profile);
  parser.app().add_option("-o,--output", file, "file to write the samples to, as CSV")->required();
  parser.app()
      .add_option("--markers", markers,
                  "the computations: auto (between two MPI calls, by their places; default), or user (between "
                  "rehearse_begin and rehearse_end)")
      ->check(one_of({"auto", "user"}));
  if (const auto status = parser.parse_with_program(arguments)) return *status;
  if (const auto done = complete_request(options, parser.program()); !done) return report_error(done.error());
  app::RunRequest& request = options.request;
  const bool is_user = markers == "user";
  app::IntervalRecorder recorder(is_user ? app::IntervalMarkers::user : app::IntervalMarkers::automatic);
  if (!request.machine.compute.is_counted()) {
    return report_error({"profile record: --compute none has no times; accepted: measured, instructions"});
  }
  Result<app::MachineRun> done = Error{};
  {
    SimulationLine line(!options.quiet);
    request.machine.models.on_progress = line.shows();
    const Interrupt interrupt;
    request.machine.stop = interrupt.stop();
    RankOutput output(options.ranks, options.label, std::cout, std::cerr);
    done = app::run_recorded(request, &output, recorder);
  }
  if (!done) return report_error(done.error());
  if (!options.quiet) print_findings(done.value().run, request.job.path, options.verbose);
  if (const int status = exit_status_of(done.value().run); status != 0) return status;
  if (recorder.cost().intervals == 0) {
    return report_error({is_user ? "profile record: --markers user: the program has no region (rehearse_begin, "
                                   "rehearse_end of rehearse.h)"
                                 : "profile record: the program makes no MPI call"});
  }
  if (!recorder.open_region().empty()) {
    std::cerr << "note: region '" << recorder.open_region() << "' never ends on some rank; that time is missing\n";
  }
  if (const auto written = write_file(file, [&](std::ostream& out) { recorder.write(out); }); !written) {
    return report_error({"profile record: -o: " + written.error().text});
  }
  if (!options.json.empty()) {
    const app::Json report = timed_report(*done.value().machine, done.value().run, done.value().wall_seconds);
    if (const auto written = write_json(options.json, report); !written) {
      return report_error({"profile record: --json: " + written.error().text});
    }
  }
  if (!options.quiet && !options.no_summary) print_recorded(options, done.value(), recorder.cost(), file);
  return 0;
}

}  // namespace rehearse::cli
