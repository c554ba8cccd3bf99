// SPDX-License-Identifier: MIT
//
// rehearse replay: a counter-example happens again, in time on a platform.
//
// With --compute none nothing in the report depends on this machine's clock: two replays give the same bytes.
#include <algorithm>
#include <filesystem>
#include <iomanip>
#include <iostream>

#include "app/cli/debugger.hpp"
#include "app/cli/machine_options.hpp"
#include "app/cli/message.hpp"
#include "app/cli/rank_output.hpp"
#include "app/cli/recording/picture_options.hpp"
#include "app/cli/report/output_file.hpp"
#include "app/cli/verb_options.hpp"
#include "app/cli/verbs.hpp"
#include "app/counterexample.hpp"
#include "app/exit_status.hpp"
#include "app/finding_json.hpp"
#include "app/investigation.hpp"
#include "app/likely_orders.hpp"
#include "app/machine.hpp"
#include "app/policies.hpp"
#include "app/replay.hpp"
#include "app/version.hpp"
#include "app/wording.hpp"
#include "simcore/schedule.hpp"

namespace rehearse::cli {
namespace {

struct ReplayOptions {
  std::string file;
  app::MachineOptions machine;
  std::string json;
  PictureOptions pictures;
  double step_seconds = 60;
  bool label = false, quiet = false;
  bool gdb = false;
  std::optional<std::uint32_t> rank;  // that gdb shows; none: all
};

// Where a rank was when it stopped for good.
struct Stop {
  std::uint32_t rank = 0;
  std::string host;
  TimePoint time;
  std::string state;  // ended, blocked, failed
  Location where;     // file empty: unknown
};

std::string_view state_name(ActorOutcome::State state) {
  switch (state) {
    case ActorOutcome::State::ended: return "ended";
    case ActorOutcome::State::blocked: return "blocked";
    case ActorOutcome::State::failed: return "failed";
  }
  REHEARSE_ASSERT(false, "a state without a name");
  return {};
}

std::vector<Stop> stops_of(const app::TimedRun& run, const Platform& platform) {
  std::vector<Stop> stops;
  for (std::uint32_t rank = 0; rank < run.result.actors.size(); ++rank) {
    const ActorResult& actor = run.result.actors[rank];
    Stop stop{rank, platform.host(actor.host).name, actor.stopped, "", {}};
    stop.state = state_name(run.result.outcome.actors[rank].state);
    if (actor.where) {
      stop.where.call = actor.where->call;
      if (!actor.where->frames.empty()) {
        const Frame& frame = actor.where->frames.front();
        stop.where.file = frame.file;
        stop.where.line = frame.line;
        stop.where.function = frame.function;
      }
    }
    stops.push_back(std::move(stop));
  }
  return stops;
}

void print_stops(std::ostream& out, const std::vector<Stop>& stops) {
  std::size_t width = 0;
  for (const Stop& stop : stops) width = std::max(width, stop.host.size());
  for (const Stop& stop : stops) {
    out << "  rank " << stop.rank << " on " << std::left << std::setw(static_cast<int>(width)) << stop.host << ' '
        << stop.state << " at " << app::in_seconds(stop.time);
    if (!stop.where.call.empty()) out << " in " << stop.where.call;
    if (!stop.where.file.empty()) out << ", " << app::place_of(stop.where);
    out << '\n';
  }
}

app::Json report_of(const app::Counterexample& counterexample, const app::TimedRun& run, const Platform& platform,
               const std::string& compute, bool reproduced) {
  app::Json json = {{"rehearse", app::version},
               {"program", counterexample.program},
               {"ranks", counterexample.ranks},
               {"platform", platform.name()},
               {"compute", compute},
               {"policy", mc::to_text(counterexample.policy)},
               {"schedule", to_text(counterexample.finding.witness)},
               {"reproduced", reproduced},
               {"simulated_seconds", run.result.end.seconds()},
               {"stops", app::Json::array()},
               {"findings", app::Json::array()}};
  for (const Stop& stop : stops_of(run, platform)) {
    json["stops"].push_back({{"rank", stop.rank},
                             {"host", stop.host},
                             {"seconds", stop.time.seconds()},
                             {"state", stop.state},
                             {"call", stop.where.call},
                             {"file", stop.where.file},
                             {"line", stop.where.line},
                             {"function", stop.where.function}});
  }
  for (Finding finding : run.findings) {
    finding.witness = counterexample.finding.witness;
    json["findings"].push_back(app::to_json(finding));
  }
  return json;
}

// Decisions of a program that was built again are looked up by their places.
Result<app::Counterexample> read_for_replay(const std::string& file, double step_seconds, bool is_quiet) {
  auto counterexample = app::read_counterexample(file);
  if (!counterexample) return counterexample;
  auto hash = hash_of_programs(counterexample.value());
  if (!hash) return Error{file + ": the program of this counter-example: " + hash.error().text};
  if (hash.value() == counterexample.value().program_hash) return counterexample;
  const std::string changed = file + ": " + counterexample.value().program + " has changed since (" + hash.value() +
                              ", was " + counterexample.value().program_hash + ")";
  if (!counterexample.value().explanation) return Error{changed + "; check it again"};
  auto again = found_again(counterexample.value(), {10, step_seconds, UINT64_MAX});
  if (!again) return Error{changed + ", and the counter-example does not fit it: " + again.error().text};
  if (!is_quiet) std::cerr << "note: " << changed << "; its decisions were found again by their places\n";
  return again;
}

// What a page says besides the pictures.
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
  for (Finding finding : replay.run.findings) {
    finding.witness = counterexample.finding.witness;
    page.findings.push_back({std::move(finding), {}, ""});
  }
  return page;
}

// What a program does may depend on the folder in which it is started.
std::string elsewhere(const app::Counterexample& counterexample) {
  std::error_code unknown;
  const bool is_elsewhere = !counterexample.folder.empty() &&
                            !std::filesystem::equivalent(counterexample.folder, ".", unknown);
  return is_elsewhere ? " (it was checked in the folder " + counterexample.folder + ")" : "";
}

int report(const ReplayOptions& options, const app::Counterexample& counterexample, const app::Replay& replay,
           const std::optional<app::LikelyOrders>& likely) {
  const app::TimedRun& run = replay.run;
  const Platform& platform = replay.machine->platform;
  const bool reproduced = replay.is_same;
  if (!options.quiet && options.json != "-") {
    std::cout << std::filesystem::path(counterexample.program).filename().string() << ", "
              << app::counted(counterexample.ranks, "rank") << " on " << platform.name() << ", where "
              << app::in_words(counterexample.policy) << ":\n";
    print_stops(std::cout, stops_of(run, platform));
    if (likely) std::cout << text_of(*likely, counterexample.finding, platform.name());
    std::cout << std::flush;
  }
  if (!options.quiet) {
    if (reproduced) {
      std::cerr << "violation: reproduced " << counterexample.finding.id
                << (replay.is_untimed ? ", without these dates: at these dates it does not happen" : "") << '\n';
    } else {
      std::cerr << "inconclusive: " << counterexample.finding.id << " did not happen again" << elsewhere(counterexample)
                << (options.machine.compute.is_counted() ? "; it may happen without computation time (--compute none)"
                                                         : "")
                << '\n';
    }
  }
  if (!options.json.empty()) {
    app::Json json = report_of(counterexample, run, platform, options.machine.compute.what, reproduced);
    if (likely) json["likely"] = to_json(*likely);
    const Result<void> written = write_json(options.json, json);
    if (!written) return report_error({"replay: --json: " + written.error().text});
  }
  return reproduced ? app::exit_violation : app::exit_inconclusive;
}

}  // namespace

int run_replay(const Arguments& arguments) {
  ReplayOptions options;
  Options parser("replay", "[options] FILE",
                 "Reproduces the finding of a counter-example in simulated time on a platform.",
                 "rehearse replay rehearse-counterexample.json --on cluster:4");
  parser.app().add_option("FILE", options.file, "a counter-example from rehearse check")->required();
  declare(parser.app(), options.machine);
  parser.app()
      .add_option("--max-step-seconds", options.step_seconds,
                  "report a rank that computes for more seconds than this without a call (default 60)")
      ->check(positive_number());
  parser.app().add_flag("--label", options.label, "begin each line of output with its rank");
  parser.app().add_option("--json", options.json, "file to write a report to, as JSON (-: standard output)");
  declare(parser.app(), options.pictures);
  parser.app().add_flag("--quiet", options.quiet, "print nothing but the program's own output");
  parser.app().add_flag("--gdb", options.gdb, "run under gdb and stop where the counter-example ends");
  parser.app().add_option("--rank", options.rank, "with --gdb: rank to show (default: all)");
  parser.refuse({"--seed"});
  if (const auto status = parser.parse(arguments)) return *status;
  if (options.rank && !options.gdb) return report_error({"replay: --rank needs --gdb"});
  auto read = read_for_replay(options.file, options.step_seconds, options.quiet);
  if (!read) return report_error(read.error());
  const app::Counterexample& counterexample = read.value();
  if (counterexample.compute && given_compute_option(parser.app()).empty())
    options.machine.compute = *counterexample.compute;
  if (options.rank && *options.rank >= counterexample.ranks)
    return report_error({"replay: --rank: '" + std::to_string(*options.rank) + "' given; accepted: 0 to " +
                         std::to_string(counterexample.ranks - 1)});
  if (options.gdb) return become_gdb(arguments, options.rank);
  Result<app::Replay> again = Error{};
  {
    // With the report on standard output the program's own output goes elsewhere.
    RankOutput output(counterexample.ranks, options.label, options.json == "-" ? std::cerr : std::cout, std::cerr);
    again = replay(counterexample, options.machine, options.step_seconds, &output, needed_for(options.pictures));
  }
  if (!again) return report_error({"replay: " + again.error().text});
  if (options.pictures.any()) {
    const app::Machine& machine = *again.value().machine;
    const Subject subject{counterexample.program, machine.platform, machine.network};
    const Result<void> written = write_pictures(options.pictures, *again.value().run.recording, subject,
                                               page_of(counterexample, subject, again.value()));
    if (!written) return report_error({"replay: " + written.error().text});
  }
  let_debuggers_look(*again.value().program);
  std::optional<app::LikelyOrders> likely;
  if (!options.machine.on.empty()) {
    auto orders = likely_orders(counterexample, options.machine, options.step_seconds);
    if (!orders) return report_error({"replay: " + orders.error().text});
    likely = std::move(orders.value());
  }
  return report(options, counterexample, again.value(), likely);
}

}  // namespace rehearse::cli
