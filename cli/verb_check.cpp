// SPDX-License-Identifier: MIT
//
// rehearse check: every legal execution of a program, judged.
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <iostream>

#include "cli/check_page.hpp"
#include "cli/counterexample.hpp"
#include "cli/exit_status.hpp"
#include "cli/exploration_file.hpp"
#include "cli/fewer_ranks.hpp"
#include "cli/interrupt.hpp"
#include "cli/investigation.hpp"
#include "cli/launch.hpp"
#include "cli/machine_formats.hpp"
#include "cli/message.hpp"
#include "cli/verb_options.hpp"
#include "cli/policies.hpp"
#include "cli/prediction.hpp"
#include "cli/progress_line.hpp"
#include "cli/recording/picture_options.hpp"
#include "cli/report/check_report.hpp"
#include "cli/report/wording.hpp"
#include "cli/selection_options.hpp"
#include "cli/supervisor.hpp"
#include "cli/verbs.hpp"
#include "mc/saved.hpp"
#include "properties/differences.hpp"

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

constexpr double seconds_per_try = 5;  // with fewer ranks

struct CheckOptions {
  std::uint32_t ranks = 0;
  std::string buffering = "all";
  std::string collectives = "both";
  std::string reduction = "matching";
  std::string search = "depth-first";
  mc::ExploreOptions explore;
  std::uint32_t jobs = processors();
  std::string counterexample = "rehearse-counterexample.json";
  double minimise_seconds = 2;
  std::string try_ranks;
  std::vector<std::uint32_t> fewer_ranks;  // of `try_ranks`
  std::string json;
  std::string page;
  MachineFormats formats;
  std::string save, resume;
  std::vector<std::string> deterministic;
  MachineOptions machine;  // to predict times on
  std::optional<double> time_bound;
  bool predicts() const { return time_bound || !machine.on.empty(); }
  SelectionOptions told;
  properties::Selection selection;  // of `told`
  bool quiet = false;
};

void declare(CLI::App& app, CheckOptions& options) {
  app.add_option("-n,--np", options.ranks, "how many ranks")->required()->check(whole_number(1, ranks_max));
  app.add_option("--buffering", options.buffering,
                 "policies under which blocked sends are judged: all, infinite, zero, eager:BYTES");
  app.add_option("--collectives", options.collectives,
                 "whether members of a collective wait for all others: both, relaxed, synchronising");
  app.add_option("--reduction", options.reduction,
                 "how executions are visited: one of each class (matching), one of each order of dependent steps "
                 "(odpor), or all (none)")
      ->check(one_of({"matching", "odpor", "none"}));
  app.add_option("--search", options.search,
                 "depth-first: until all is visited; random:N: N executions in which chance chooses; bounded:K: those "
                 "in which at most K decisions go another way than the first that is tried");
  app.add_option("--seed", options.explore.seed, "of a random search (default 1)")
      ->check(whole_number(0, UINT64_MAX));
  app.add_flag("--all", options.explore.all_findings, "do not stop after the first error");
  app.add_option("--polls", options.explore.polls, "consecutive 'no' answers of one polling call that are explored")
      ->check(whole_number(1, 1000));
  app.add_option("--max-executions", options.explore.max_executions, "stop after so many")
      ->check(whole_number(1, UINT64_MAX));
  app.add_option("--max-seconds", options.explore.max_seconds, "stop after so long")->check(positive_number());
  options.explore.max_step_seconds = 60;
  app.add_option("--max-step-seconds", options.explore.max_step_seconds,
                 "a rank that computes so long without a call is at fault (60)")
      ->check(positive_number());
  options.explore.max_bytes = physical_bytes() / 4 * 3;
  app.add_option("--max-memory", options.explore.max_bytes,
                 "stop when so many bytes are in use (three quarters of what the machine has)")
      ->check(whole_number(1, UINT64_MAX));
  app.add_option("--jobs", options.jobs, "processes that explore (as many as there are processors for this one)")
      ->check(whole_number(1, mc::jobs_max));
  app.add_option("--deterministic", options.deterministic,
                 "what must be the same in every execution, with commas: output, sends, results")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(one_of({"output", "sends", "results"}));
  declare_platform(app, options.machine);
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
  app.add_option("--save", options.save, "where it is kept what is left when the exploration stops before its end");
  app.add_option("--resume", options.resume, "goes on with what --save kept in this file");
  declare_report(app, options.page);
  app.add_option("--json", options.json, "also the whole report, to this file (-: standard output)");
  declare(app, options.formats);
  app.add_flag("--quiet", options.quiet, "no text, only the exit status (and the files)");
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
  const bool is_random = kind == "random" && is_whole(options.explore.walks) && options.explore.walks > 0;
  const bool is_bounded = kind == "bounded" && is_whole(options.explore.turns);
  if (!is_random && !is_bounded)
    return "--search: '" + options.search +
           "', expected depth-first, random:N, N executions (1 or more), or bounded:K, K decisions (0 or more)";
  if (options.reduction != "matching")
    return "--search " + std::string(kind) + " is not for --reduction " + options.reduction;
  if (is_bounded && has_seed) return "--seed is of a random search (--search random:N)";
  options.explore.search = is_random ? mc::Search::random : mc::Search::bounded;
  return "";
}

// What is wrong with it, or nothing.
std::string read_deterministic(CheckOptions& options) {
  if (options.deterministic.empty()) return "";
  const auto is_named = [&](const char* name) { return std::ranges::count(options.deterministic, name) > 0; };
  options.explore.same_output = is_named("output");
  options.explore.same_sends = is_named("sends");
  options.explore.same_results = is_named("results");
  if (options.reduction != "matching") return "--deterministic is for --reduction matching only";
  if (!options.save.empty() || !options.resume.empty()) return "--deterministic is not for --save and --resume";
  return "";
}

// What is wrong with it, or nothing. Only a depth-first exploration of classes can be divided.
std::string read_jobs(CheckOptions& options, bool is_given) {
  const bool is_divisible = options.explore.search == mc::Search::depth_first && options.reduction == "matching";
  if (!is_divisible && is_given && options.jobs > 1)
    return "--jobs " + std::to_string(options.jobs) + " is for --search depth-first --reduction matching only";
  options.explore.jobs = is_divisible ? options.jobs : 1;
  for (const auto& [name, file] : {std::pair("--save", &options.save), std::pair("--resume", &options.resume)})
    if (!is_divisible && !file->empty())
      return std::string(name) + " is for --search depth-first --reduction matching only";
  return "";
}

// Of an exploration that goes on, or may: what it is of, and what is left of it.
struct Unfinished {
  std::string identity, left;
};

CheckReport explore(Program& program, CheckOptions& options, Unfinished& unfinished) {
  const Interrupt interrupt;
  ProgressLine progress(!options.quiet);
  options.explore.reduction = options.reduction == "none"    ? mc::Reduction::none
                              : options.reduction == "odpor" ? mc::Reduction::odpor
                                                             : mc::Reduction::matching;
  const double step_seconds = options.explore.max_step_seconds;
  const std::uint64_t bytes = options.explore.max_bytes / 8 * 7;
  options.explore.prepare = [&program, step_seconds, bytes](const GivesUp& gives_up) {
    smpi::limit_steps(program, {step_seconds, bytes, gives_up});
  };
  options.explore.reservations = [&program] { return smpi::reservations(program); };
  options.explore.interrupted = [&] { return interrupt.happened(); };
  options.explore.progress = [&](const mc::Progress& now) { progress.show(now); };

  const auto begin = std::chrono::steady_clock::now();
  CheckReport report;
  const Judge judge = [&options](const Outcome& outcome, const Describe& describe) {
    return options.selection.judge(outcome, describe);
  };
  options.explore.find_races = options.selection.tells_any("race.wildcard");
  options.explore.tell_difference = [&options](const Difference& difference) {
    return options.selection.told(properties::tell_difference(difference));
  };
  options.explore.tell_state = [&options](const GlobalState& state) {
    return options.selection.told(properties::tell_state(state));
  };
  const mc::ExploreOptions& how = options.explore;
  const std::string& identity = unfinished.identity;
  if (!options.resume.empty()) {
    auto verdict = mc::go_on(program, how, judge, identity, unfinished.left);
    REHEARSE_ASSERT(bool(verdict), "what was just read is not what is left of an exploration");
    report.verdict = std::move(verdict.value());
  } else if (!options.save.empty()) {
    report.verdict = mc::explore(program, how, judge, identity, unfinished.left);
  } else {
    report.verdict = mc::explore(program, how, judge);
  }
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  for (std::string& reason : report.verdict.reasons) reason = of_ranks(reason);
  if (!options.selection.is_all()) report.verdict.assumptions.push_back(options.selection.describe());
  report.policies = options.explore.policies;
  report.ranks = options.ranks;
  return report;
}

// What predicted times depend on.
std::string prediction_identity(const CheckOptions& options) {
  const ModelFlags& models = options.machine.models;
  std::string text = "predicted on: " + options.machine.on + " hosts: " + options.machine.hostfile +
                     " model: " + models.file + (models.no_cross_traffic ? " without cross traffic" : "") + " bound: " +
                     (options.time_bound ? std::to_string(*options.time_bound) : "none");
  for (const auto& [name, value] : models.values) text += " " + name + "=" + value;
  return text + "\n";
}

Result<Unfinished> read_unfinished(const CheckOptions& options, const std::string& path, const Arguments& arguments) {
  Unfinished unfinished;
  if (options.save.empty() && options.resume.empty()) return unfinished;
  auto identity = exploration_identity(path, arguments, options.ranks, options.explore);
  if (!identity) return identity.error();
  unfinished.identity = identity.value() + "told: " + options.selection.identity() + "\n";
  if (options.predicts()) unfinished.identity += prediction_identity(options);
  if (options.resume.empty()) return unfinished;
  auto left = read_exploration(options.resume, unfinished.identity);
  if (!left) return left.error();
  unfinished.left = std::move(left.value());
  return unfinished;
}

// The policy under which the schedule of the finding leads to it; findings that happen under all lose their list.
mc::Policy take_policies(CheckReport& report) {
  mc::Policy policy = report.policies.front();
  if (const Finding* error = first_error(report.verdict); error != nullptr && !error->policies.empty()) {
    auto first = parse_policy(error->policies.front());
    REHEARSE_ASSERT(bool(first), "a finding under a policy that has no name");
    policy = first.value();
  }
  for (Finding& finding : report.verdict.findings) {
    if (finding.policies.size() == report.policies.size()) finding.policies.clear();
  }
  return policy;
}

Result<Counterexample> make_counterexample(const CheckReport& report, const mc::Policy& policy,
                                           const std::string& path, const Arguments& arguments) {
  Counterexample result;
  auto hash = hash_of_file(path);
  if (!hash) return hash.error();
  result.program = std::filesystem::absolute(path).lexically_normal();
  result.program_hash = hash.value();
  result.arguments = arguments;
  result.folder = std::filesystem::current_path();
  result.ranks = report.ranks;
  result.finding = *first_error(report.verdict);
  result.policy = policy;
  return result;
}

struct Task {
  std::string path;  // of the program
  std::string name;  // as the user wrote it
  Arguments arguments;
  Unfinished unfinished;
};

// A counter-example that is easier to understand takes the place of the one that was written. False: there is none.
bool improve(const CheckOptions& options, Counterexample& counterexample) {
  if (options.minimise_seconds == 0 || counterexample.time_bound) return false;
  const Judge judge = [&options](const Outcome& outcome, const Describe& describe) {
    return options.selection.judge(outcome, describe);
  };
  Counterexample better =
      investigated(counterexample, options.explore, judge,
                   {options.minimise_seconds, options.explore.max_step_seconds, options.explore.max_bytes});
  if (!better.told || !write_counterexample(options.counterexample, better).empty()) return false;
  counterexample = std::move(better);
  return true;
}

// The counter-example with as few ranks as show it takes its place; what is told of that, as JSON. Null: not asked for.
Json with_fewer_ranks(const CheckOptions& options, Counterexample& counterexample) {
  if (options.fewer_ranks.empty()) return {};
  const Judge judge = [&options](const Outcome& outcome, const Describe& describe) {
    return options.selection.judge(outcome, describe);
  };
  FewerRanks fewer = try_fewer_ranks(counterexample, options.fewer_ranks, options.explore, judge, seconds_per_try);
  if (!options.quiet) std::cerr << text_of(fewer, counterexample) << '\n';
  Json told = {{"tried", fewer.tried}, {"found", nullptr}};
  if (!fewer.found || !write_counterexample(options.counterexample, *fewer.found).empty()) return told;
  counterexample = std::move(*fewer.found);
  told["found"] = counterexample.ranks;
  return told;
}

// What is said and written of it, and the exit status. `left`: to be kept.
int conclude(const CheckOptions& options, const Task& task, CheckReport& report, const std::string& left) {
  report.program = task.name;
  report.ranks = options.ranks;
  const mc::Policy policy = take_policies(report);
  if (!options.quiet && !say(options.formats, report))
    std::cerr << verdict_line(report) << '\n' << other_findings(report) << predicted_times(report);
  Json fewer;
  if (first_error(report.verdict) != nullptr) {
    auto counterexample = make_counterexample(report, policy, task.path, task.arguments);
    if (!counterexample) return report_error(counterexample.error());
    Counterexample& best = counterexample.value();
    best.buffers = buffer_checks(options.selection);
    best.polls = options.explore.polls;
    best.platform = options.machine.on;
    best.time_bound = best.finding.id == "time.bound" ? options.time_bound : std::nullopt;
    const std::string fault = write_counterexample(options.counterexample, best);  // whatever becomes of a better one
    if (!fault.empty()) return report_error({"check: --counterexample: " + fault});
    fewer = with_fewer_ranks(options, best);
    if (improve(options, best) && best.ranks == options.ranks)
      first_error(report.verdict)->schedule = best.finding.schedule;
    if (!options.quiet) {
      std::cerr << "counter-example: " << options.counterexample << " (rehearse explain, rehearse replay)\n";
    }
  }
  if (!options.save.empty() && !left.empty()) {
    const std::string fault = write_exploration(options.save, left);
    if (!fault.empty()) return report_error({"check: --save: " + fault});
    if (!options.quiet) std::cerr << "what is left: " << options.save << " (rehearse check --resume)\n";
  }
  if (!options.json.empty()) {
    Json document = to_json(report);
    if (!fewer.is_null()) document["fewer_ranks"] = fewer;
    const std::string fault = write_json(options.json, document);
    if (!fault.empty()) return report_error({"check: --json: " + fault});
  }
  const std::string unwritten = write(options.formats, report);
  if (!unwritten.empty()) return report_error({"check: " + unwritten});
  if (!options.page.empty()) {
    const std::string fault = write_check_page(options.page, report, task.path, task.arguments);
    if (!fault.empty()) return report_error({"check: --report: " + fault});
  }
  return exit_status_of(answer_of(report.verdict));
}

// `death`: how the process ended that tried it before; empty: this is the first.
int check(CheckOptions& options, const Task& task, const std::string& death) {
  auto program =
      launch_to_explore(task.path, task.arguments, options.ranks, buffer_checks(options.selection));
  if (!program) return report_error(program.error());
  std::unique_ptr<Prediction> prediction;
  if (options.predicts()) {
    auto made = Prediction::make(task.path, task.arguments, options.ranks, options.machine,
                                 buffer_checks(options.selection), options.time_bound);
    if (!made) return report_error({"check: " + made.error().text});
    prediction = std::move(made.value());
    options.explore.price = std::ref(*prediction);
  }
  Unfinished unfinished = task.unfinished;
  CheckReport report = explore(*program.value(), options, unfinished);
  if (prediction) report.platform = prediction->platform();
  options.explore.price = {};
  options.explore.prepare = {};
  options.explore.reservations = {};
  prediction.reset();
  program.value().reset();  // findings may be replayed now
  if (!death.empty() && report.verdict.exhaustive) {
    report.verdict.exhaustive = false;
    report.verdict.reasons.push_back("a process that explored ended " + death + ", and another one did not");
  }
  return conclude(options, task, report, unfinished.left);
}

int report_death(const CheckOptions& options, const Task& task, const std::string& how) {
  CheckReport report;
  report.policies = options.explore.policies;
  report.verdict.exhaustive = false;
  report.verdict.reasons = {"the process that explores ended " + how + ", twice"};
  return conclude(options, task, report, "");
}

}  // namespace

int run_check(const Arguments& arguments) {
  CheckOptions options;
  Options parser("check", "-n N [options] PROGRAM [ARGS...]",
                 "Visits every class of legal executions of an MPI program and judges how each ends.",
                 "rehearse check -n 4 ./ring");
  declare(parser.app(), options);
  parser.refuse({"--matching"});
  if (const auto status = parser.parse_with_program(arguments)) return *status;
  std::string problem = read_search(options, parser.app().count("--seed") > 0);
  if (problem.empty()) problem = read_jobs(options, parser.app().count("--jobs") > 0);
  if (problem.empty()) problem = read_deterministic(options);
  if (problem.empty()) problem = conflict_of(options.formats, options.json);
  if (!problem.empty()) return report_error({"check: " + problem});
  if (!options.try_ranks.empty()) {
    auto numbers = read_ranks(options.try_ranks, options.ranks);
    if (!numbers) return report_error({"check: --try-ranks: " + numbers.error().text});
    options.fewer_ranks = std::move(numbers.value());
  }
  auto selection = read_selection(options.told);
  if (!selection) return report_error({"check: " + selection.error().text});
  options.selection = std::move(selection.value());
  auto policies = make_policies(options.buffering, options.collectives);
  if (!policies) return report_error({"check: " + policies.error().text});

  auto path = find_program(parser.program()[0]);
  if (!path) return report_error(path.error());
  const Arguments program_arguments(parser.program().begin() + 1, parser.program().end());
  options.explore.policies = policies.value();
  auto unfinished = read_unfinished(options, path.value(), program_arguments);
  if (!unfinished) return report_error({"check: --resume: " + unfinished.error().text});
  const Task task{path.value(), parser.program()[0], program_arguments, std::move(unfinished.value())};
  const Ending first = run_apart([&] { return check(options, task, ""); });
  if (first.status) return *first.status;
  if (!options.quiet)
    std::cerr << "rehearse: the process that explored ended " << first.how << "; others explore it again\n";
  options.explore.apart = true;
  const Ending second = run_apart([&] { return check(options, task, first.how); });
  return second.status ? *second.status : report_death(options, task, second.how);
}

}  // namespace rehearse::cli
