// SPDX-License-Identifier: MIT
//
// rehearse real: a program of actors in real processes over TCP, beside its simulation.
#include <algorithm>
#include <iostream>
#include <sstream>

#include "app/actor_steps.hpp"
#include "app/cli/actor_verbs.hpp"
#include "app/cli/interrupt.hpp"
#include "app/cli/message.hpp"
#include "app/cli/read_job.hpp"
#include "app/cli/report/output_file.hpp"
#include "app/cli/verb_options.hpp"
#include "app/cli/verbs.hpp"
#include "app/exit_status.hpp"
#include "app/finding_json.hpp"
#include "app/real_actors.hpp"
#include "app/version.hpp"
#include "app/wording.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::cli {
namespace {

constexpr std::uint64_t real_processes_max = 256;
constexpr std::size_t table_actors_max = 16;

struct RealRunOptions {
  app::RealActorsRequest request;
  std::string ssh, json;
  double max_seconds = 0;
  bool quiet = false;
};

void declare(OptionSet& app, RealRunOptions& options) {
  app::RealActorsRequest& request = options.request;
  app.add_option("--processes", request.processes,
                 "number of processes, among which the hosts are divided (default: one for each host with actors)")
      ->check(whole_number(1, real_processes_max));
  app.add_option("--hostfile", request.hostfile,
                 "file with the machine of each process: lines HOST, HOST:N or HOST slots=N (default: this machine)");
  app.add_flag("--namespaces", request.has_namespaces,
               "a network namespace of this machine for each process, with a switch between them");
  app.add_option("--ssh", options.ssh, "command in front of the name of another machine (default ssh)");
  app.add_option("--address", request.address,
                 "address of this machine for processes on others (default: that of the SSH session)");
  app.add_option("--max-seconds", options.max_seconds, "end the run after this time, in seconds; it is inconclusive")
      ->check(positive_number());
  app.add_option("--json", options.json, "file to write a report to, as JSON (-: standard output)");
  app.add_flag("--quiet", options.quiet, "print nothing but the program's own output");
}

struct Sums {
  std::uint64_t messages = 0, socket_bytes = 0;
  double bytes = 0, flops = 0, flop_seconds = 0, clock_error = 0;
};

Sums sums_of(const RealActorRun& run) {
  Sums sums;
  for (const RealProcess& process : run.processes) {
    sums.messages += process.messages;
    sums.socket_bytes += process.socket_bytes;
    sums.bytes += process.bytes;
    sums.flops += process.flops;
    sums.flop_seconds += process.flop_seconds;
    sums.clock_error = std::max(sums.clock_error, process.clock_error);
  }
  return sums;
}

std::string row(std::string_view name, std::string_view real, std::string_view simulated) {
  return fmt::format("  {:<32} {:>16} {:>16}\n", name, real, simulated);
}

std::string date_text(double seconds) { return seconds < 0 ? "-" : fmt::format("{:.6f} s", seconds); }

std::string describe_output(const app::OutputComparison& output) {
  if (!output.is_same) return "output: differs; " + output.first_difference + "\n";
  return fmt::format("output: the same {} {}{}, apart from dates\n", output.lines, output.lines == 1 ? "line" : "lines",
                     output.is_in_order ? "" : " in another order");
}

std::string table_of(const app::RealActorsReport& report) {
  const Sums sums = sums_of(report.real);
  const app::SimulatedSide& simulated = report.simulated;
  std::string text = fmt::format("rehearse: {} processes, platform {}\n", report.machines.size(), report.real.platform);
  text += row("", "for real", "simulated");
  text += row("last actor ends", date_text(report.real.end), date_text([&] {
                double end = 0;
                for (const auto& [number, actor] : simulated.actors) end = std::max(end, actor.end);
                return end;
              }()));
  const std::size_t awaited = static_cast<std::size_t>(
      std::ranges::count_if(report.real.actors, [](const RealActor& actor) { return !actor.is_daemon; }));
  if (awaited <= table_actors_max)
    for (const RealActor& actor : report.real.actors) {
      if (actor.is_daemon) continue;
      const auto other = simulated.actors.find(actor.number);
      const bool is_known = other != simulated.actors.end() && other->second.name == actor.name;
      text += row(fmt::format("  {} on {}", actor.name, actor.host), date_text(actor.has_ended ? actor.end : -1),
                  is_known ? date_text(other->second.end) : "-");
    }
  text += row("messages", app::with_commas(sums.messages), app::with_commas(simulated.messages));
  text += row("bytes of messages", fmt::format("{:.6g}", sums.bytes), fmt::format("{:.6g}", simulated.bytes));
  text += row("bytes between processes", app::with_commas(sums.socket_bytes), "-");
  if (sums.flops > 0 || simulated.flops > 0) {
    text += row("flops", fmt::format("{:.6g}", sums.flops), fmt::format("{:.6g}", simulated.flops));
    text += row("flops per second of a core",
                sums.flop_seconds > 0 ? fmt::format("{:.4g}", sums.flops / sums.flop_seconds) : "-",
                fmt::format("{:.4g}", simulated.speed));
  }
  return text + describe_output(report.output);
}

app::Json json_of_real(const std::string& program, const app::RealActorsReport& report) {
  const Sums sums = sums_of(report.real);
  const app::SimulatedSide& simulated = report.simulated;
  app::Json json = {{"rehearse", app::version},
                    {"program", program},
                    {"platform", report.real.platform},
                    {"interrupted", report.was_interrupted},
                    {"clock_error_seconds", sums.clock_error},
                    {"output",
                     {{"same", report.output.is_same},
                      {"same_order", report.output.is_in_order},
                      {"lines", report.output.lines},
                      {"difference", report.output.first_difference}}},
                    {"real",
                     {{"seconds", report.real.end},
                      {"messages", sums.messages},
                      {"bytes", sums.bytes},
                      {"socket_bytes", sums.socket_bytes},
                      {"flops", sums.flops},
                      {"flop_seconds", sums.flop_seconds}}},
                    {"simulated",
                     {{"seconds", simulated.run.end.seconds()},
                      {"messages", simulated.messages},
                      {"bytes", simulated.bytes},
                      {"flops", simulated.flops},
                      {"flops_per_second", simulated.speed}}},
                    {"processes", app::Json::array()},
                    {"actors", app::Json::array()},
                    {"findings", app::Json::array()}};
  for (std::size_t i = 0; i < report.real.processes.size(); ++i) {
    const RealProcess& process = report.real.processes[i];
    json["processes"].push_back({{"machine", report.machines[i].empty() ? "localhost" : report.machines[i]},
                                 {"messages", process.messages},
                                 {"bytes", process.bytes},
                                 {"socket_bytes", process.socket_bytes},
                                 {"flops", process.flops},
                                 {"flop_seconds", process.flop_seconds},
                                 {"clock_error_seconds", process.clock_error},
                                 {"lost", process.is_lost}});
  }
  for (const RealActor& actor : report.real.actors) {
    const auto other = simulated.actors.find(actor.number);
    const bool is_known = other != simulated.actors.end() && other->second.name == actor.name && other->second.end >= 0;
    json["actors"].push_back({{"number", actor.number},
                              {"name", actor.name},
                              {"host", actor.host},
                              {"process", actor.process},
                              {"daemon", actor.is_daemon},
                              {"real_end", actor.has_ended ? app::Json(actor.end) : app::Json()},
                              {"simulated_end", is_known ? app::Json(other->second.end) : app::Json()}});
  }
  for (const Finding& finding : report.findings) json["findings"].push_back(app::to_json(finding));
  return json;
}

int report_real(const RealRunOptions& options, const std::string& program, const app::RealActorsReport& report) {
  if (!options.quiet)
    for (const Finding& finding : report.findings)
      std::cerr << (report.is_only_simulated ? "violation: in the simulation, before the run for real: "
                                             : "violation: ")
                << app::describe_actors(finding);
  if (!options.json.empty())
    if (const auto written = write_json(options.json, json_of_real(program, report)); !written)
      return report_error({"real: --json: " + written.error().text});
  if (!options.quiet && options.json != "-" && report.real.has_run) std::cerr << table_of(report);
  if (report.was_interrupted) return report_error({"interrupted", true});
  return report.findings.empty() ? app::exit_good : app::exit_violation;
}

}  // namespace

int run_for_real(const Arguments& arguments) {
  RealRunOptions options;
  Options parser("real", "[options] PROGRAM [ARGS...]",
                 "Runs a program of actors in simulated time and for real: in a process for each host, over TCP. Its\n"
                 "computations are performed, its messages sent, its sleeps take their time. Prints both times.",
                 "rehearse real --namespaces ./token_ring");
  declare(parser.app(), options);
  if (const auto status = parser.parse_with_program(arguments)) return *status;
  app::RealActorsRequest& request = options.request;
  const Arguments& words = parser.program();
  if (request.has_namespaces && !request.hostfile.empty())
    return report_error({"real: --namespaces and --hostfile exclude each other: namespaces are on this machine"});
  const auto program = find_program(words[0]);
  if (!program) return report_error({"real: " + program.error().text});
  if (!is_actor_program(program.value()))
    return report_error({"real: " + words[0] +
                         ": is no program of actors; accepted: one that rehearse c++ --actors has "
                         "linked"});
  request.program = program.value();
  request.arguments.assign(words.begin() + 1, words.end());
  if (!options.ssh.empty()) {
    std::istringstream parts(options.ssh);
    request.ssh.clear();
    for (std::string part; parts >> part;) request.ssh.push_back(part);
  }
  if (request.ssh.empty()) return report_error({"real: --ssh: no command given"});
  const Interrupt interrupt;
  request.stop = interrupt.stop();
  if (options.max_seconds > 0) request.stop = request.stop.until(std::chrono::steady_clock::now(), options.max_seconds);
  request.output = [](std::string_view text) { std::cout << text << std::flush; };
  request.errors = [](std::string_view text) { std::cerr << text << std::flush; };
  const auto report = app::run_actors_for_real(request);
  if (!report) return report_error({"real: " + report.error().text, report.error().is_inconclusive});
  return report_real(options, words[0], report.value());
}

}  // namespace rehearse::cli
