// SPDX-License-Identifier: MIT
//
// rehearse trace record --real, and rehearse trace gather: recordings of programs under Open MPI and MPICH.
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <utility>

#include "app/cli/message.hpp"
#include "app/cli/own_tree.hpp"
#include "app/cli/trace_commands.hpp"
#include "app/cli/verb_options.hpp"
#include "app/exit_status.hpp"
#include "app/gather.hpp"
#include "app/launch.hpp"
#include "app/real_run.hpp"
#include "app/wording.hpp"
#include "simcore/engine.hpp"

namespace rehearse::cli {
namespace {

void declare_rates(OptionSet& app, trace::VolumeRates& rates) {
  rates.flops_per_second = EngineOptions{}.reference_flops;
  app.add_option("--rate", rates.flops_per_second,
                 "flops for each second of processor time (default 1e10: a host of 10 Gf needs the measured time)")
      ->check(positive_number());
  app.add_option("--flops-per-instruction", rates.flops_per_instruction,
                 "flops for each instruction, if instructions were counted (default 1)")
      ->check(positive_number());
}

int print_report(const app::GatherReport& report, const std::string& output, bool is_quiet) {
  if (!is_quiet)
    for (const std::string& warning : report.warnings) std::cerr << "rehearse: warning: " << warning << '\n';
  if (!report.unsupported.empty()) {
    std::cerr << "inconclusive: a recording of a real MPI cannot have these calls:";
    for (const std::string& call : report.unsupported)
      std::cerr << ' ' << call << (&call == &report.unsupported.back() ? "" : ",");
    std::cerr << '\n';
    return app::exit_inconclusive;
  }
  if (!is_quiet)
    std::cerr << "rehearse: " << output << ": " << app::counted(report.actions, "action") << " of "
              << app::counted(report.ranks, "rank") << " under " << report.libraries << '\n';
  return app::exit_good;
}

struct RealOptions {
  app::RealRunRequest run;
  app::GatherRequest gather;
  std::string counter = "time", launcher;
  bool keeps_streams = false, is_quiet = false, is_real = false;
};

void declare_real(OptionSet& app, RealOptions& options) {
  app.add_flag("--real", options.is_real, "run the program under the MPI that it was compiled for: Open MPI or MPICH");
  app.add_option("-n,--np", options.run.ranks, "number of ranks")->required()->check(whole_number(1, app::ranks_max));
  app.add_option("-o,--output", options.gather.output, "file to record to")->required();
  app.add_option("--mpi", options.run.mpi, "the MPI: openmpi, mpich (default: by the libraries that the program needs)")
      ->check(one_of({"openmpi", "mpich"}));
  app.add_option("--launcher", options.launcher,
                 "command that starts ranks, without -n N (default: mpirun --oversubscribe, or mpiexec of MPICH)");
  app.add_option("--counter", options.counter,
                 "volume of computation: time (processor time of the thread), instructions (default time)")
      ->check(one_of({"time", "instructions"}));
  declare_rates(app, options.gather.rates);
  app.add_flag("--keep-streams", options.keeps_streams, "keep the folder with the streams of the ranks, FILE.streams");
  app.add_flag("--quiet", options.is_quiet, "print nothing but the program's own output");
}

Result<void> complete(RealOptions& options, const Arguments& program) {
  auto prefix = own_prefix();
  if (!prefix) return prefix.error();
  options.run.program = program;
  options.run.libraries = prefix.value() + "/lib";
  options.run.streams = std::filesystem::absolute(options.gather.output + ".streams");
  if (const char* preloaded = std::getenv("LD_PRELOAD")) options.run.preloaded = preloaded;
  std::istringstream words(options.launcher);
  for (std::string word; words >> word;) options.run.launcher.push_back(word);
  if (options.counter == "instructions") {
    if (const auto found = app::find_instruction_counter(); !found) return found.error();
    options.run.counter = trace::Counter::instructions;
  }
  // Streams of an earlier run, which was interrupted.
  std::error_code ignored;
  std::filesystem::remove_all(options.run.streams, ignored);
  options.gather.inputs = {options.run.streams};
  return {};
}

}  // namespace

int run_trace_record_real(const Arguments& arguments) {
  RealOptions options;
  Options parser("trace record --real", "-n N -o FILE [options] -- PROGRAM [ARGS...]",
                 "Runs an MPI program under Open MPI or MPICH, and records the run to a file. Ranks may share cores:\n"
                 "the volumes of computation are processor time, or instructions, of each rank alone.",
                 "rehearse trace record --real -n 16 -o lu.rtrace -- ./lu");
  declare_real(parser.app(), options);
  if (const auto status = parser.parse_with_program(arguments)) return *status;
  if (const auto done = complete(options, parser.program()); !done)
    return report_error(of_verb("trace record", done.error()));
  const auto status = app::run_real(options.run);
  if (!status) return report_error(of_verb("trace record", status.error()));
  std::error_code ignored;
  if (std::filesystem::is_empty(options.run.streams, ignored)) {
    std::filesystem::remove_all(options.run.streams, ignored);
    return report_error({"trace record: the program wrote no stream (exit status " + std::to_string(status.value()) +
                         "); was it linked statically, does it use the module mpi_f08 of MPICH, or did no rank call "
                         "MPI_Init?"});
  }
  const auto report = app::gather(options.gather);
  if (!report) return report_error(report.error());
  const int result = print_report(report.value(), options.gather.output, options.is_quiet);
  if (!options.keeps_streams) std::filesystem::remove_all(options.run.streams, ignored);
  if (status.value() == 0) return result;
  std::cerr << "rehearse: the program ended with status " << status.value() << '\n';
  return result == app::exit_good ? app::exit_violation : result;
}

int run_trace_gather(const Arguments& arguments) {
  app::GatherRequest request;
  bool is_quiet = false;
  Options parser("trace gather", "[options] -o FILE STREAMS...",
                 "Makes one recording from the streams of the ranks of a real MPI, of one machine or of several.",
                 "rehearse trace gather -o lu.rtrace machine1/ machine2/");
  OptionSet& app = parser.app();
  app.add_option("STREAMS", request.inputs, "streams of ranks, or folders of them")->required();
  app.add_option("-o,--output", request.output, "file to write")->required();
  declare_rates(app, request.rates);
  app.add_flag("--quiet", is_quiet, "do not print warnings and the last line");
  if (const auto status = parser.parse(arguments)) return *status;
  const auto report = app::gather(request);
  if (!report) return report_error(report.error());
  return print_report(report.value(), request.output, is_quiet);
}

}  // namespace rehearse::cli
