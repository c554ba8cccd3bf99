// SPDX-License-Identifier: MIT
//
// From words to options of the explorer.
#include "app/cli/check_options.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>

#include "app/cli/machine_options.hpp"
#include "app/cli/recording/picture_options.hpp"
#include "app/cli/verb_options.hpp"
#include "app/fewer_ranks.hpp"
#include "app/hostfile.hpp"
#include "app/job.hpp"
#include "app/launch.hpp"
#include "app/policies.hpp"

namespace rehearse::cli {
namespace {

std::uint64_t physical_bytes() {
  return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

// That this process may run on.
std::uint32_t processors() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return static_cast<std::uint32_t>(std::clamp(CPU_COUNT(&set), 1, static_cast<int>(mc::jobs_max)));
}

// What is wrong with it, or nothing.
std::string read_search(CheckOptions& options, bool has_seed) {
  if (options.search == "depth-first") return has_seed ? "--seed is of a random search (--search random:N)" : "";
  const std::string_view text = options.search;
  const std::size_t colon = std::min(text.find(':'), text.size());
  const std::string_view kind = text.substr(0, colon), count = text.substr(std::min(colon + 1, text.size()));
  const char* const end = count.data() + count.size();
  const auto is_whole = [&](auto& number) {
    const auto [stopped, error] = std::from_chars(count.data(), end, number);
    return error == std::errc() && stopped == end;
  };
  mc::Strategy& strategy = options.explore.strategy;
  const bool is_random = kind == "random" && is_whole(strategy.walks) && strategy.walks > 0;
  const bool is_bounded = kind == "bounded" && is_whole(strategy.deviations);
  if (!is_random && !is_bounded)
    return "--search: '" + options.search +
           "', expected depth-first, random:N, N executions (1 or more), or bounded:K, K decisions (0 or more)";
  if (options.reduction != "matching")
    return "--search " + std::string(kind) + " is not for --reduction " + options.reduction;
  if (is_bounded && has_seed) return "--seed is of a random search (--search random:N)";
  strategy.search = is_random ? mc::Search::random : mc::Search::bounded;
  return "";
}

// What is wrong with it, or nothing.
std::string read_deterministic(CheckOptions& options) {
  if (options.deterministic.empty()) return "";
  const auto is_named = [&](const char* name) { return std::ranges::count(options.deterministic, name) > 0; };
  options.explore.semantics.same_output = is_named("output");
  options.explore.semantics.same_sends = is_named("sends");
  options.explore.semantics.same_results = is_named("results");
  if (options.reduction != "matching") return "--deterministic is for --reduction matching only";
  if (!options.save.empty() || !options.resume.empty()) return "--deterministic is not for --save and --resume";
  return "";
}

// What is wrong with it, or nothing.
std::string read_needless_barriers(const CheckOptions& options) {
  if (!options.needless_barriers) return "";
  const bool is_whole = options.explore.strategy.search == mc::Search::depth_first && options.reduction == "matching";
  if (!is_whole || !options.save.empty() || !options.resume.empty())
    return "--needless-barriers is for --search depth-first --reduction matching, without --save and --resume";
  return "";
}

// The value of --collectives says which of the two newer options is meant. What is wrong with it, or nothing.
std::string read_collectives(CheckOptions& options) {
  if (app::is_synchronisation(options.collectives)) options.synchronisation = options.collectives;
  else if (!options.collectives.empty()) options.machine.collectives = options.collectives;
  if (options.machine.collectives == app::MachineOptions{}.collectives || options.predicts()) return "";
  if (!options.collectives.empty())
    return "--collectives: '" + options.collectives + "' given; accepted: both, relaxed, synchronising; algorithms (" +
           "--collective-algorithms) only with --on or --time-bound, which predict times";
  return "--collective-algorithms: no times are predicted; accepted with --on or --time-bound";
}

// What is wrong with it, or nothing. Only a depth-first exploration of classes can be divided.
std::string read_jobs(CheckOptions& options, bool is_given) {
  const bool is_depth_first = options.explore.strategy.search == mc::Search::depth_first;
  const bool is_divisible = is_depth_first && options.reduction == "matching";
  if (!is_divisible && is_given && options.jobs > 1)
    return "--jobs " + std::to_string(options.jobs) + " is for --search depth-first --reduction matching only";
  options.explore.strategy.jobs = is_divisible ? options.jobs : 1;
  for (const auto& [name, file] : {std::pair("--save", &options.save), std::pair("--resume", &options.resume)})
    if (!is_divisible && !file->empty())
      return std::string(name) + " is for --search depth-first --reduction matching only";
  return "";
}

}  // namespace

void declare(CLI::App& app, CheckOptions& options) {
  app.add_option("-n,--np", options.ranks, "how many ranks")->required()->check(whole_number(1, app::ranks_max));
  app.add_option("--buffering", options.buffering,
                 "policies under which blocked sends are judged: all, infinite, zero, eager:BYTES");
  CLI::Option* synchronisation =
      app.add_option("--collective-synchronisation", options.synchronisation,
                     "whether members of a collective wait for all others: both, relaxed, synchronising");
  declare_algorithms(app, "--collective-algorithms", options.machine);
  app.add_option("--collectives", options.collectives,
                 "older name of --collective-synchronisation, or of --collective-algorithms, as its value says")
      ->excludes(synchronisation);
  app.add_option("--reduction", options.reduction,
                 "how executions are visited: one of each class (matching), one of each order of dependent steps "
                 "(odpor), or all (none)")
      ->check(one_of({"matching", "odpor", "none"}));
  app.add_option("--search", options.search,
                 "depth-first: until all is visited; random:N: N executions in which chance chooses; bounded:K: those "
                 "in which at most K decisions go another way than the first that is tried");
  app.add_option("--seed", options.explore.strategy.seed, "of a random search (default 1)")
      ->check(whole_number(0, UINT64_MAX));
  app.add_flag("--all", options.explore.bounds.all_findings, "do not stop after the first error");
  app.add_option("--polls", options.explore.semantics.polls,
                 "consecutive 'no' answers of one polling call that are explored")
      ->check(whole_number(1, 1000));
  app.add_option("--max-executions", options.explore.bounds.max_executions, "stop after so many")
      ->check(whole_number(1, UINT64_MAX));
  app.add_option("--max-seconds", options.explore.bounds.max_seconds, "stop after so long")->check(positive_number());
  options.explore.bounds.max_step_seconds = 60;
  app.add_option("--max-step-seconds", options.explore.bounds.max_step_seconds,
                 "a rank that computes so long without a call is at fault (60)")
      ->check(positive_number());
  options.explore.bounds.max_bytes = physical_bytes() / 4 * 3;
  app.add_option("--max-memory", options.explore.bounds.max_bytes,
                 "stop when so many bytes are in use (three quarters of what the machine has)")
      ->check(whole_number(1, UINT64_MAX));
  options.jobs = processors();
  app.add_option("--jobs", options.jobs, "processes that explore (as many as there are processors for this one)")
      ->check(whole_number(1, mc::jobs_max));
  app.add_option("--deterministic", options.deterministic,
                 "what must be the same in every execution, with commas: output, sends, results")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(one_of({"output", "sends", "results"}));
  declare_platform(app, options.machine);
  declare(app, options.machine.compute);
  app.add_option("--ranks-per-node", options.ranks_per_node,
                 "so many ranks share a node: what MPI_COMM_TYPE_SHARED and processor names go by (all on one node)")
      ->check(whole_number(1, app::ranks_max));
  app.add_option("--time-bound", options.time_bound,
                 "executions that take longer on the platform (--on) are errors; seconds")
      ->check(positive_number());
  declare(app, options.told);
  app.add_option("--counterexample", options.counterexample, "where the first error is written");
  app.add_option("--minimise", options.minimise_seconds,
                 "seconds, about, for the fewest decisions that lead to an error and what decides it (2); 0: as found")
      ->check(number_from_zero());
  app.add_option("--try-ranks", options.try_ranks,
                 "fewer ranks with which the first error may happen: fewer (all from 2 on), or numbers with commas");
  app.add_flag("--needless-barriers", options.needless_barriers,
               "of a verified program also tell the barriers that no execution needs");
  app.add_option("--save", options.save, "where it is kept what is left when the exploration stops before its end");
  app.add_option("--resume", options.resume, "goes on with what --save kept in this file");
  declare_report(app, options.page);
  app.add_option("--json", options.json, "also the whole report, to this file (-: standard output)");
  declare(app, options.formats);
  app.add_flag("--quiet", options.quiet, "no text, only the exit status (and the files)");
}

std::string complete(CheckOptions& options, const CLI::App& app) {
  std::string problem = read_search(options, app.count("--seed") > 0);
  if (problem.empty()) problem = read_jobs(options, app.count("--jobs") > 0);
  if (problem.empty()) problem = read_deterministic(options);
  if (problem.empty()) problem = read_needless_barriers(options);
  if (problem.empty()) problem = conflict_of(options.formats, options.json);
  if (!problem.empty()) return problem;
  if (const std::string name = given_compute_option(app); !name.empty() && !options.predicts())
    return name + " is for predicted times (--on, --time-bound)";
  if (!options.try_ranks.empty()) {
    auto numbers = app::read_ranks(options.try_ranks, options.ranks);
    if (!numbers) return "--try-ranks: " + numbers.error().text;
    options.fewer_ranks = std::move(numbers.value());
  }
  auto selection = read_selection(options.told);
  if (!selection) return selection.error().text;
  options.selection = std::move(selection.value());
  problem = read_collectives(options);
  if (!problem.empty()) return problem;
  auto policies = app::make_policies(options.buffering, options.synchronisation);
  if (!policies) return policies.error().text;
  options.explore.semantics.policies = std::move(policies.value());
  options.explore.semantics.find_races = options.selection.tells_any("race.wildcard");
  options.explore.strategy.reduction = options.reduction == "none"    ? mc::Reduction::none
                                       : options.reduction == "odpor" ? mc::Reduction::odpor
                                                                      : mc::Reduction::matching;
  return "";
}

Result<smpi::NodeMap> read_nodes(const CheckOptions& options, std::uint32_t ranks) {
  const bool has_file = !options.machine.hostfile.empty();
  if (options.ranks_per_node && has_file) return Error{"--ranks-per-node and --hostfile exclude each other"};
  if (options.ranks_per_node) {
    std::vector<std::string> names;
    for (std::uint32_t rank = 0; rank < ranks; ++rank)
      names.push_back("node-" + std::to_string(rank / *options.ranks_per_node));
    return app::nodes_of(names);
  }
  if (!options.machine.on.empty()) {
    auto machine = make_machine(options.machine, ranks);
    if (!machine) return machine.error();
    return nodes_of(*machine.value(), ranks);
  }
  if (!has_file) return smpi::NodeMap{};
  auto names = app::read_host_names(options.machine.hostfile, ranks);
  if (!names) return names.error();
  return app::nodes_of(names.value());
}

// What predicted times depend on.
std::string prediction_identity(const CheckOptions& options) {
  const app::ModelFlags& models = options.machine.models;
  std::string text = "predicted on: " + options.machine.on + " hosts: " + options.machine.hostfile +
                     " algorithms: " + options.machine.collectives + " model: " + models.file +
                     (models.no_cross_traffic ? " without cross traffic" : "") + " bound: " +
                     (options.time_bound ? std::to_string(*options.time_bound) : "none");
  for (const auto& [name, value] : models.values) text += " " + name + "=" + value;
  text += " " + app::describe(options.machine.compute) + " at " +
          std::to_string(options.machine.compute.instructions_per_second);
  return text + "\n";
}

}  // namespace rehearse::cli
