// SPDX-License-Identifier: MIT
//
// See run_options.hpp.
#include "app/cli/run_options.hpp"

#include "app/cli/date.hpp"
#include "app/cli/machine_options.hpp"
#include "app/cli/message_options.hpp"
#include "app/cli/read_job.hpp"
#include "app/cli/recording/usage_options.hpp"
#include "app/cli/started_options.hpp"
#include "app/cli/verb_options.hpp"
#include "app/job.hpp"
#include "app/launch.hpp"

namespace rehearse::cli {
namespace {

void declare(OptionSet& app, app::SamplingOptions& sampling) {
  app.add_option("--sample-as", sampling.as,
                 "times of sampled code that does not run: draw (from the measured distribution, default), mean, or "
                 "sequence (the measured times in their order)")
      ->check(one_of({"draw", "mean", "sequence"}));
  app.add_option("--sample-error", sampling.error,
                 "measure a class of sampled code until its mean is known to this part, with 95 % confidence (default "
                 "0.02; 0: no early stop)")
      ->check(number_from_zero());
  app.add_option("--sample-most", sampling.most, "the most executions of a class that run (default 1000)")
      ->check(whole_number(1, 1'000'000'000));
  app.add_option("--sample-scope", sampling.scope,
                 "a class belongs to the whole run (default), to each host, or to each rank")
      ->check(one_of({"run", "host", "rank"}));
  app.add_option("--sample-file", sampling.file,
                 "file with measured distributions: its classes do not run again, and new ones are added");
  app.add_flag("--sample-model", sampling.models,
               "a class with numbers that never ran takes the time of a law that is fitted to the other classes of its "
               "name: a + b times the product of the numbers");
  app.add_option("--sample-function", sampling.functions,
                 "sample the function of this symbol: NAME or NAME:ARG,ARG, with the positions of int arguments that "
                 "make classes (*N: address of an int, Nl: 64 bits); can be repeated")
      ->allow_extra_args(false);
}

void declare(OptionSet& app, app::FoldingOptions& folding) {
  app.add_option("--fold-above", folding.above,
                 "ranks share the memory of arrays of at least this many bytes that they allocate at the same place, "
                 "and their data mean nothing")
      ->check(whole_number(4096, std::uint64_t{1} << 40));
  app.add_option("--fold-keep", folding.keep,
                 "with --fold-above: do not fold the allocations of this place, FUNCTION or FILE:LINE, or the static "
                 "array of this name; can be repeated")
      ->allow_extra_args(false);
  app.add_option("--fold-within", folding.within,
                 "parts of this many bytes within a folded array share memory as well (a multiple of 4096)")
      ->check(whole_number(4096, std::uint64_t{1} << 40));
  app.add_flag("--no-fold", folding.none, "ranks share no memory, although the program asks for it");
}

void declare(OptionSet& app, app::MergingOptions& merging) {
  app.add_flag("--merge-pages", merging.wanted,
               "equal pages of ranks are one page in physical memory until a rank writes to them; the program computes "
               "the same");
  app.add_option("--merge-every", merging.every,
                 "with --merge-pages: compare pages when memory has grown by this many bytes, and by a quarter "
                 "(default 67108864)")
      ->check(whole_number(4096, std::uint64_t{1} << 40));
}

void declare_failures(OptionSet& app, std::vector<std::string>& failures) {
  app.add_option("--fail", failures,
                 "let a rank fail: RANK@SECONDS, or RANK@call:NUMBER at a call that communicates or waits; can be "
                 "repeated")
      ->allow_extra_args(false);
}

Result<void> read_failures(RunOptions& options) {
  for (const std::string& text : options.failures) {
    auto failure = app::parse_failure(text);
    if (!failure) return Error{"run: --fail: " + failure.error().text};
    options.request.failures.push_back(failure.value());
  }
  return {};
}

}  // namespace

void declare(OptionSet& app, RunOptions& options, RunVerb verb) {
  const bool records = verb == RunVerb::record;
  app::RunRequest& request = options.request;
  app.add_option("-n,--np", options.ranks, "number of ranks")->required()->check(whole_number(1, app::ranks_max));
  declare_most_ranks(app, request.job.starts.most_ranks);
  cli::declare(app, request.machine, true);
  declare_network_changes(app, request.machine.changes);
  declare_capture(app, request.machine.pcap);
  declare_file_system(app, request.machine.files);
  declare_energy(app, request.machine.energy);
  declare_statistics(app, request.machine.statistics);
  cli::declare(app, request.machine.protocol);
  app.add_option("--reduction-flops", request.combine_flops_per_byte,
                 "cost of a reduction for the receiver, in flops per byte (default 1)")
      ->check(number_from_zero());
  app.add_option("--max-step-seconds", request.steps.seconds,
                 "report a rank that computes for more seconds than this without a call (default: no limit)")
      ->check(positive_number());
  if (verb == RunVerb::run)
    app.add_option("--max-time", request.simulated_seconds_max,
                   "cut the run after so many seconds of simulated time, and report what has happened until then")
        ->check(positive_number());
  if (verb == RunVerb::run) declare_failures(app, options.failures);
  app.add_option("--date", options.date,
                 "date at the start of the run: now, YYYY-MM-DD or YYYY-MM-DDThh:mm:ss in UTC (default "
                 "2001-09-09T01:46:40)");
  declare(app, request.sampling);
  declare(app, request.folding);
  declare(app, request.merging);
  cli::declare(app, options.selected);
  declare_seed(app, options.repeat, "packet losses and routes, random profiles, drawn times of sampled code");
  if (verb == RunVerb::run) declare_repeat(app, options.repeat, true);
  app.add_flag("--discard-files", request.discard_files,
               "keep the files that ranks write in memory, and discard them at the end");
  app.add_flag("--label", options.label, "begin each line of output with its rank");
  app.add_option("--json", options.json, "file to write a report to, as JSON (-: standard output)");
  if (verb != RunVerb::profile) {
    Option* trace = app.add_option(records ? "-o,--output,--trace" : "--trace", request.trace,
                                   "file to record the run to, for rehearse trace replay");
    if (records) trace->required();
  }
  if (records)
    app.add_flag("--real", options.is_real,
                 "run the program under Open MPI or MPICH; must be the first option, and has other options (rehearse "
                 "trace record --real --help)");
  if (records)
    app.add_option("--of", options.of,
                   "record the execution of this counter-example of rehearse check; must be the first option, and has "
                   "other options (rehearse trace record --of --help)");
  app.add_option_function(
      "--schedule",
      [&target = request.schedule](const std::string& text) {
        auto schedule = parse_schedule(text);
        if (!schedule) return schedule.error().text;
        target = std::move(schedule.value());
        return std::string();
      },
      "decisions that the run takes, as rehearse check --json reports them; if it cannot, it is inconclusive");
  cli::declare(app, options.pictures);
  if (verb == RunVerb::run) declare_usage(app, options.usage);
  app.add_flag("--strict", request.strict,
               "report pending receives into one buffer as an error, as check does (default: warning)");
  app.add_flag("--quiet", options.quiet, "print nothing but the program's own output");
  app.add_flag("--no-summary", options.no_summary, "do not print the line with the simulated time at the end");
  app.add_flag("--verbose", options.verbose, "also print warnings, and the numbers of the network with their origins");
}

void set_seed(std::uint64_t seed, app::RunRequest& request) {
  request.machine.models.seed = seed;
  request.sampling.seed = seed;
}

Result<void> complete_request(RunOptions& options, const Arguments& program) {
  app::RunRequest& request = options.request;
  if (request.simulated_seconds_max && (!request.trace.empty() || options.repeat.is_wanted()))
    return Error{std::string("run: --max-time and ") + (request.trace.empty() ? "--repeat" : "--trace") +
                 " exclude each other"};
  if (!options.usage.empty() && (!request.trace.empty() || !request.schedule.empty()))
    return Error{std::string("run: --usage and ") + (request.trace.empty() ? "--schedule" : "--trace") +
                 " exclude each other"};
  request.machine.usage = !options.usage.empty();
  if (auto done = read_failures(options); !done) return done;
  auto selection = read_selection(options.selected);
  if (!selection) return Error{"run: " + selection.error().text};
  auto job = read_job(program, options.ranks);
  if (!job) return job.error();
  auto date = read_date(options.date);
  if (!date) return Error{"run: --date: " + date.error().text};
  job.value().starts.most_ranks = request.job.starts.most_ranks;
  request.job = std::move(job.value());
  request.selection = std::move(selection.value());
  request.warnings_as_errors = options.selected.warnings_as_errors;
  request.recorded = needed_for(options.pictures);
  if (date.value()) request.job.date_seconds = *date.value();
  options.ranks = request.job.ranks;
  if (options.repeat.seed) set_seed(*options.repeat.seed, request);
  return {};
}

}  // namespace rehearse::cli
