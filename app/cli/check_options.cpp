// SPDX-License-Identifier: MIT
//
// Converts the command line to options of the explorer.
#include "app/cli/check_options.hpp"

#include <algorithm>

#include "app/cli/machine_options.hpp"
#include "app/cli/recording/picture_options.hpp"
#include "app/cli/started_options.hpp"
#include "app/cli/verb_options.hpp"
#include "app/fewer_ranks.hpp"
#include "app/hostfile.hpp"
#include "app/job.hpp"
#include "app/launch.hpp"
#include "app/policies.hpp"
#include "app/selected_checks.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::cli {
namespace {

Result<void> read_search_of_ranks(CheckOptions& options, const OptionSet& app) {
  mc::Strategy& strategy = options.explore.strategy;
  if (auto done = read_search(app, options.search, strategy); !done) return done;
  if (strategy.search == mc::Search::depth_first) return {};
  const std::string_view text = options.search.search;
  if (options.reduction != "matching")
    return Error{"--search " + std::string(text.substr(0, text.find(':'))) + " does not work with --reduction " +
                 options.reduction};
  if (strategy.search != mc::Search::predict) return {};
  if (options.predicts()) return Error{"--search predict does not work with --on and --time-bound"};
  const std::string obstacle = mc::obstacle_to_predictions();
  return obstacle.empty() ? Result<void>() : Error{"--search predict: " + obstacle};
}

Result<void> read_deterministic(CheckOptions& options) {
  if (options.deterministic.empty()) return {};
  const auto is_named = [&](const char* name) { return std::ranges::count(options.deterministic, name) > 0; };
  options.explore.semantics.same_output = is_named("output");
  options.explore.semantics.same_sends = is_named("sends");
  options.explore.semantics.same_results = is_named("results");
  if (options.reduction != "matching") return Error{"--deterministic needs --reduction matching"};
  if (!options.save.empty() || !options.resume.empty())
    return Error{"--deterministic does not work with --save and --resume"};
  return {};
}

Result<void> read_needless_barriers(const CheckOptions& options) {
  if (!options.needless_barriers) return {};
  const bool is_whole = options.explore.strategy.search == mc::Search::depth_first && options.reduction == "matching";
  if (!is_whole || !options.save.empty() || !options.resume.empty())
    return Error{"--needless-barriers needs --search depth-first --reduction matching, without --save and --resume"};
  return {};
}

// What cannot follow choices of a rank.
Result<void> check_failures(const CheckOptions& options) {
  if (options.failures == 0) return {};
  const bool follows = options.reduction == "matching" || options.reduction == "odpor" || options.reduction == "none";
  if (!follows) return Error{"--failures does not work with --reduction " + options.reduction};
  const mc::Strategy& strategy = options.explore.strategy;
  if (strategy.search == mc::Search::predict) return Error{"--failures does not work with --search predict"};
  if (options.predicts()) return Error{"--failures does not work with --on and --time-bound"};
  if (options.buffering == "mixed") return Error{"--failures does not work with --buffering mixed"};
  if (options.needless_barriers) return Error{"--failures does not work with --needless-barriers"};
  if (options.needed_buffering) return Error{"--failures does not work with --needed-buffering"};
  if (strategy.counts_merges) return Error{"--failures does not work with --count-merges"};
  if (options.distributed) return Error{"--failures does not work with --distributed"};
  if (!options.deterministic.empty()) return Error{"--failures does not work with --deterministic"};
  if (!options.try_ranks.empty()) return Error{"--failures does not work with --try-ranks"};
  if (!options.save.empty()) return Error{"--failures does not work with --save"};
  if (!options.resume.empty()) return Error{"--failures does not work with --resume"};
  if (options.failures >= options.ranks)
    return Error{
        fmt::format("--failures: {} given; accepted: fewer than the ranks, {}", options.failures, options.ranks)};
  return {};
}

Result<void> read_needed_buffering(const CheckOptions& options) {
  const bool is_depth_first = options.explore.strategy.search == mc::Search::depth_first;
  if (options.needed_buffering && !is_depth_first) return Error{"--needed-buffering needs --search depth-first"};
  return {};
}

// The value of --collectives selects one of the two newer options.
Result<void> read_collectives(CheckOptions& options) {
  if (app::is_synchronisation(options.collectives)) options.synchronisation = options.collectives;
  else if (!options.collectives.empty()) options.machine.collectives = options.collectives;
  if (options.machine.collectives == app::MachineOptions{}.collectives || options.predicts()) return {};
  if (!options.collectives.empty())
    return Error{"--collectives: '" + options.collectives + "' given; accepted: both, relaxed, synchronising; " +
                 "algorithms (--collective-algorithms) only with --on or --time-bound, which predict times"};
  return Error{"--collective-algorithms: no times are predicted; accepted with --on or --time-bound"};
}

// Only a depth-first exploration of classes can be divided.
Result<void> read_jobs(CheckOptions& options, bool is_given) {
  if (options.distributed && !is_given) options.jobs = 1;
  const bool is_depth_first = options.explore.strategy.search == mc::Search::depth_first;
  const bool is_matching = is_depth_first && options.reduction == "matching";
  // The last three may have to fall back to matching.
  const bool is_divisible = is_matching || options.reduction == "merged" || options.reduction == "flow" ||
                            options.reduction == "footprints";
  const bool counts_merges = options.explore.strategy.counts_merges;
  if (options.distributed && (!is_matching || counts_merges || !options.deterministic.empty()))
    return Error{"--distributed needs --search depth-first --reduction matching, without --count-merges and "
                 "--deterministic"};
  if (counts_merges && !is_matching) return Error{"--count-merges needs --search depth-first --reduction matching"};
  if (counts_merges && is_given && options.jobs > 1)
    return Error{fmt::format("--jobs {} does not work with --count-merges", options.jobs)};
  if (!is_divisible && is_given && options.jobs > 1)
    return Error{fmt::format("--jobs {} needs --search depth-first --reduction matching", options.jobs)};
  options.explore.strategy.jobs = is_divisible && !counts_merges ? options.jobs : 1;
  for (const auto& [name, file] : {std::pair("--save", &options.save), std::pair("--resume", &options.resume)})
    if (!is_matching && !file->empty())
      return Error{std::string(name) + " needs --search depth-first --reduction matching"};
  return {};
}

// Whether the answer may come from flow equations, footprints or merged states, which visit no executions.
bool may_attempt_proof(const CheckOptions& options) {
  const mc::Strategy& strategy = options.explore.strategy;
  return strategy.search == mc::Search::depth_first && !strategy.counts_merges && !options.needless_barriers &&
         options.save.empty() && options.resume.empty();
}

void declare_bounds(OptionSet& app, mc::Bounds& bounds) {
  app.add_option("--max-executions", bounds.max_executions, "stop after this number of executions")
      ->check(whole_number(1, UINT64_MAX));
  app.add_option("--max-seconds", bounds.max_seconds, "stop after this number of seconds")->check(positive_number());
  app.add_option("--max-step-seconds", bounds.max_step_seconds,
                 "report a rank that computes for more seconds than this without a call (default 60)")
      ->check(positive_number());
  app.add_option("--max-memory", bounds.max_bytes,
                 "stop when this number of bytes is in use (default: three quarters of the machine's memory)")
      ->check(whole_number(1, UINT64_MAX));
}

void declare_windows_and_failures(OptionSet& app, CheckOptions& options) {
  app.add_option("--failures", options.failures,
                 "explore executions in which up to so many ranks fail, each at any call (default 0)")
      ->check(whole_number(0, 16));
  app.add_option_function(
         "--rma-model",
         [&options](const std::string& model) {
           options.separate_windows = model == "separate";
           return std::string();
         },
         "memory model of windows: unified (default), or separate: loads and stores use a private copy, other ranks a "
         "public one, and only calls that synchronise the window carry changes from one to the other")
      ->check(one_of({"unified", "separate"}));
}

void declare_processes(OptionSet& app, CheckOptions& options) {
  options.jobs = app::default_jobs();
  app.add_option("--jobs", options.jobs,
                 "number of processes that explore (default: the number of available "
                 "processors)")
      ->check(whole_number(1, mc::jobs_max));
  app.add_flag("--distributed", options.distributed,
               "explore with all processes that mpirun, mpiexec or srun started with this command (--jobs: for each, "
               "default 1)");
  app.add_option("--distributed-wait", options.distributed_wait,
                 "how long to wait for the other processes of --distributed, in seconds (default 60)")
      ->check(positive_number());
}

// Files for other commands to continue with.
void declare_files(OptionSet& app, CheckOptions& options) {
  app.add_option("--save", options.save, "file to save an unfinished exploration to");
  app.add_option("--resume", options.resume, "file that --save wrote, to continue its exploration");
  app.add_option("--proof", options.proof,
                 "file to write a proof by flow equations or footprints to, for rehearse proof (with --reduction flow "
                 "or footprints, or without --reduction)");
}

}  // namespace

void declare(OptionSet& app, CheckOptions& options) {
  app.add_option("-n,--np", options.ranks, "number of ranks")->required()->check(whole_number(1, app::ranks_max));
  declare_most_ranks(app, options.most_ranks);
  app.add_option("--buffering", options.buffering,
                 "buffering of standard sends: all (default: infinite and zero), infinite, zero, eager:BYTES, mixed "
                 "(infinite, zero, and each choice of sends that are buffered)");
  Option* synchronisation =
      app.add_option("--collective-synchronisation", options.synchronisation,
                     "whether every member of a collective waits for all members: both (default), relaxed, "
                     "synchronising");
  declare_algorithms(app, "--collective-algorithms", options.machine);
  app.add_option("--collectives", options.collectives,
                 "old name of --collective-synchronisation and --collective-algorithms; the value decides which")
      ->excludes(synchronisation);
  app.add_option(
         "--reduction", options.reduction,
         "executions to explore: one per class (matching), one per order of dependent steps (odpor), all (none), or "
         "none, but states in which equal local histories are merged (merged), or only what each rank may do, and "
         "flow equations (flow, or footprints: for steps that are known by the memory that they use; matching if they "
         "prove nothing). Default: matching, and in a long exploration flow, footprints and merged in a further "
         "process, until one of them has the answer")
      ->check(one_of({"matching", "odpor", "none", "merged", "flow", "footprints"}));
  app.add_flag("--count-merges", options.explore.strategy.counts_merges,
               "also count the local histories that end in equal states: those that --reduction merged would merge");
  declare(app, options.search);
  options.explore.bounds = app::default_bounds();
  app.add_flag("--all", options.explore.bounds.all_findings, "search for further errors after the first one");
  app.add_option("--polls", options.explore.semantics.polls,
                 "number of consecutive 'no' answers of a polling call to explore (default 1)")
      ->check(whole_number(1, 1000));
  declare_windows_and_failures(app, options);
  declare_bounds(app, options.explore.bounds);
  declare_processes(app, options);
  app.add_option("--deterministic", options.deterministic,
                 "report differences between executions in: output, sends, results (separate several with commas)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(one_of({"output", "sends", "results"}));
  declare_platform(app, options.machine);
  declare(app, options.machine.compute);
  app.add_option("--ranks-per-node", options.ranks_per_node,
                 "number of ranks on each node, for MPI_COMM_TYPE_SHARED and processor names (default: all on "
                 "one node)")
      ->check(whole_number(1, app::ranks_max));
  app.add_option("--time-bound", options.time_bound,
                 "report executions that take longer than this on the platform (--on), in seconds")
      ->check(positive_number());
  declare(app, options.selected);
  declare(app, options.states);
  app.add_option("--counterexample", options.counterexample, "file to write the counter-example of the first error to");
  app.add_option("--minimise", options.minimise_seconds,
                 "time to spend on minimising the counter-example, in seconds (default 2); 0 keeps it as found")
      ->check(number_from_zero());
  app.add_option("--try-ranks", options.try_ranks,
                 "try to reproduce the first error with fewer ranks: fewer (all numbers from 2), or a list such "
                 "as 2,3");
  app.add_flag("--merge-pages", options.merges_pages,
               "let the kernel merge equal pages of ranks and of snapshots (KSM; its scanner must be on)");
  app.add_flag("--needless-barriers", options.needless_barriers,
               "of a verified program, also report the barriers that no execution needs");
  app.add_flag("--needed-buffering", options.needed_buffering,
               "of a program with a deadlock, also report sends such that nothing deadlocks if they are buffered");
  declare_files(app, options);
  declare_report(app, options.page);
  app.add_option("--json", options.json, "file to write the report to, as JSON (-: standard output)");
  declare(app, options.formats);
  app.add_flag("--quiet", options.quiet, "print no text; only set the exit status, and write the files");
}

Result<void> complete(CheckOptions& options, const OptionSet& app) {
  auto questions = read_state_options(options.states, app);
  if (!questions) return questions.error();
  options.questions = std::move(questions.value());
  options.explore.bounds.long_events = options.states.max_steps;
  if (!options.distributed && app.count("--distributed-wait") > 0)
    return Error{"--distributed-wait needs --distributed"};
  if (auto done = read_search_of_ranks(options, app); !done) return done;
  if (auto done = read_jobs(options, app.count("--jobs") > 0); !done) return done;
  if (auto done = read_deterministic(options); !done) return done;
  if (auto done = read_needless_barriers(options); !done) return done;
  if (auto done = read_needed_buffering(options); !done) return done;
  if (auto done = check_failures(options); !done) return done;
  if (auto done = check_conflicts(options.formats, options.json); !done) return done;
  if (const std::string name = given_compute_option(app); !name.empty() && !options.predicts())
    return Error{name + " is for predicted times (--on, --time-bound)"};
  if (!options.try_ranks.empty()) {
    auto numbers = app::read_ranks(options.try_ranks, options.ranks);
    if (!numbers) return Error{"--try-ranks: " + numbers.error().text};
    options.fewer_ranks = std::move(numbers.value());
  }
  auto selection = read_selection(options.selected);
  if (!selection) return selection.error();
  options.selection = std::move(selection.value());
  if (auto done = read_collectives(options); !done) return done;
  auto policies = app::make_policies(options.buffering, options.synchronisation);
  if (!policies) return policies.error();
  options.explore.semantics.policies = std::move(policies.value());
  if (options.buffering == "mixed" && !options.questions.formulas.empty())
    return Error{"--buffering mixed does not work with --ltl"};
  options.explore.strategy.reduction = options.reduction == "none"         ? mc::Reduction::none
                                       : options.reduction == "odpor"      ? mc::Reduction::odpor
                                       : options.reduction == "merged"     ? mc::Reduction::merged
                                       : options.reduction == "flow"       ? mc::Reduction::flow
                                       : options.reduction == "footprints" ? mc::Reduction::footprints
                                                                           : mc::Reduction::matching;
  options.explore.strategy.attempts_proof = app.count("--reduction") == 0 && options.failures == 0 &&
                                            may_attempt_proof(options);
  if (!options.proof.empty() && options.reduction != "flow" && options.reduction != "footprints" &&
      !options.explore.strategy.attempts_proof)
    return Error{"--proof needs --reduction flow or footprints, or an exploration that attempts a proof (without "
                 "--reduction, --search, --save, --resume, --count-merges and --needless-barriers)"};
  options.explore.strategy.proof_after_executions = 50'000;
  options.explore.strategy.proof_after_seconds = 10;
  return {};
}

Result<smpi::NodeMap> read_nodes(const CheckOptions& options, std::uint32_t ranks) {
  const bool has_file = !options.machine.hostfile.empty();
  if (options.ranks_per_node && has_file) return Error{"--ranks-per-node and --hostfile exclude each other"};
  if (options.ranks_per_node) {
    std::vector<std::string> names;
    for (std::uint32_t rank = 0; rank < ranks; ++rank)
      names.push_back(fmt::format("node-{}", rank / *options.ranks_per_node));
    return app::nodes_of(names);
  }
  if (!options.machine.on.empty()) {
    auto machine = make_machine(options.machine, ranks);
    if (!machine) return machine.error();
    return app::nodes_of(*machine.value(), ranks);
  }
  if (!has_file) return smpi::NodeMap{};
  auto names = app::read_host_names(options.machine.hostfile, ranks);
  if (!names) return names.error();
  return app::nodes_of(names.value());
}

app::CheckRequest request_of(const CheckOptions& options, app::Job job, const std::string& program) {
  app::CheckRequest request;
  request.job = std::move(job);
  request.job.buffers = app::buffer_checks(options.selection);
  request.job.starts.most_ranks = options.most_ranks;
  request.job.failures.chosen = options.failures;
  request.program = program;
  request.semantics = options.explore.semantics;
  request.strategy = options.explore.strategy;
  request.bounds = options.explore.bounds;
  request.states = options.questions;
  request.selection = options.selection;
  request.warnings_as_errors = options.selected.warnings_as_errors;
  request.counterexample = options.counterexample == "-" ? "/dev/stdout" : options.counterexample;
  request.minimise_seconds = options.minimise_seconds;
  request.fewer_ranks = options.fewer_ranks;
  request.needless_barriers = options.needless_barriers;
  request.separate_windows = options.separate_windows;
  request.needed_buffering = options.needed_buffering;
  request.merges_pages = options.merges_pages;
  request.save = options.save;
  request.resume = options.resume;
  request.proof = options.proof;
  if (options.predicts()) request.predict_on = options.machine;
  request.time_bound = options.time_bound;
  request.platform = options.machine.on;
  return request;
}

}  // namespace rehearse::cli
