// SPDX-License-Identifier: MIT
//
// rehearse attach: real processes through a simulated network. Also the launch agent of the launchers of MPI libraries.
#include <unistd.h>

#include <cstdlib>
#include <iostream>

#include "app/attach.hpp"
#include "app/cli/interrupt.hpp"
#include "app/cli/machine_options.hpp"
#include "app/cli/message.hpp"
#include "app/cli/own_tree.hpp"
#include "app/cli/report/output_file.hpp"
#include "app/cli/report/packet_links.hpp"
#include "app/cli/verb_options.hpp"
#include "app/cli/verbs.hpp"
#include "app/exit_status.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::cli {
namespace {

constexpr std::uint64_t attached_ranks_max = 4096;

struct AttachOptions {
  app::AttachRequest request;
  std::string json;
  bool quiet = false;
};

void declare(OptionSet& app, AttachOptions& options) {
  app::AttachRequest& request = options.request;
  app.add_option("-n,--np", request.ranks, "number of copies of the program, or of slots for a launcher")
      ->required()
      ->check(whole_number(1, attached_ranks_max));
  declare_platform(app, request.machine);
  app.add_option("--time-factor", request.time_factor,
                 "seconds of real time for each simulated second (default 1); programs are slowed down by it")
      ->check(positive_number());
  app.add_option("--start", request.start,
                 "copies (one for each rank, on its host), once (on the first host), openmpi or mpich (a launcher of "
                 "this library, on the first host); default: by the program's name and version")
      ->check(one_of({"auto", "copies", "once", "openmpi", "mpich"}));
  app.add_flag("--spin", request.spins, "wait without sleeping: less delay, and one core that is always busy");
  app.add_option("--json", options.json, "file to write a report to, as JSON (-: standard output)");
  app.add_flag("--quiet", options.quiet, "print nothing but the programs' own output and errors");
}

app::Json optional_number(const std::optional<double>& value) { return value ? app::Json(*value) : app::Json(); }

app::Json json_of(const app::AttachReport& report) {
  app::Json json = {{"platform", report.platform},
                    {"network", "packet"},
                    {"time_factor", report.time_factor},
                    {"seconds", report.seconds},
                    {"wall_seconds", report.wall_seconds},
                    {"interrupted", report.was_interrupted},
                    {"realtime_priority", report.has_realtime_priority},
                    {"max_behind", report.max_behind},
                    {"mean_behind", report.mean_behind},
                    {"behind_limit", optional_number(report.behind_limit)},
                    {"late_frames", report.late_frames},
                    {"proposed_time_factor", optional_number(report.proposed_factor)},
                    {"frames",
                     {{"entered", report.frames_entered},
                      {"delivered", report.frames_delivered},
                      {"dropped", report.frames_dropped},
                      {"marked", report.frames_marked},
                      {"on_the_way", report.frames_inside},
                      {"ignored", report.frames_ignored},
                      {"unreachable", report.frames_unreachable},
                      {"refused", report.frames_refused}}},
                    {"packet_hops", report.packet_hops},
                    {"events", report.events},
                    {"programs", app::Json::array()},
                    {"hosts", app::Json::array()},
                    {"links", app::Json::array()}};
  for (const app::AttachedProgram& program : report.programs)
    json["programs"].push_back(
        {{"name", program.name}, {"host", program.host}, {"status", program.status}, {"end", program.end_seconds}});
  for (const app::AttachedHost& host : report.hosts)
    json["hosts"].push_back({{"name", host.name}, {"address", host.address}, {"kernel_drops", host.kernel_drops}});
  for (const app::AttachReport::Link& link : report.links) json["links"].push_back(link_totals(link.name, link.totals));
  return json;
}

void print_attach_summary(const app::AttachReport& report) {
  constexpr double microseconds = 1e6;
  std::cerr << fmt::format(
      "rehearse: simulated time {:.6g} s (attach, {}, time factor {:.6g}, {} frames, {} dropped, at most {:.3g} us "
      "behind)\n",
      report.seconds, report.platform, report.time_factor, report.frames_entered, report.frames_dropped,
      report.max_behind * microseconds);
  const auto warn = [](const std::string& text) { std::cerr << "rehearse: warning: " << text << '\n'; };
  if (report.proposed_factor)
    warn(fmt::format("attach: frames were up to {:.3g} us late in simulated time, more than {:.3g} us, 5 % of the "
                     "smallest latency of a link ({} of {} frames); --time-factor {:.6g} would do",
                     report.max_behind * microseconds, *report.behind_limit * microseconds, report.late_frames,
                     report.frames_delivered, *report.proposed_factor));
  if (report.frames_unreachable > 0)
    warn(fmt::format("attach: {} frames to hosts without a route on the platform", report.frames_unreachable));
  for (const app::AttachedHost& host : report.hosts)
    if (host.kernel_drops > 0)
      warn(fmt::format("attach: the kernel dropped {} frames of {} before they were read: a larger --time-factor helps",
                       host.kernel_drops, host.name));
}

// The first program that failed; null: none.
const app::AttachedProgram* first_failure(const app::AttachReport& report) {
  const app::AttachedProgram* first = nullptr;
  for (const app::AttachedProgram& program : report.programs)
    if (program.status != 0 && (first == nullptr || program.end_seconds < first->end_seconds)) first = &program;
  return first;
}

int status_of_job(const app::AttachReport& report) {
  if (report.was_interrupted) {
    std::cerr << "inconclusive: interrupted\n";
    return app::exit_inconclusive;
  }
  const app::AttachedProgram* failed = first_failure(report);
  if (failed == nullptr) return app::exit_good;
  std::cerr << fmt::format("violation: {} on {} ended with status {}\n", failed->name, failed->host, failed->status);
  return app::exit_violation;
}

int run_agent(const std::string& socket, const std::string& host, Arguments::const_iterator first,
              Arguments::const_iterator last) {
  const auto status = app::enter_host(socket, host, {first, last});
  if (!status) return report_error({"attach: " + status.error().text});
  return status.value();
}

std::optional<int> run_as_agent(const Arguments& arguments) {
  if (arguments.empty()) return std::nullopt;
  if (arguments[0] == "--enter") {
    const char* socket = std::getenv("REHEARSE_ATTACH");
    if (socket == nullptr) return report_error({"attach: --enter: accepted inside of an attached job only"});
    if (arguments.size() < 3) return report_error({"attach: --enter: accepted: --enter HOST COMMAND..."});
    return run_agent(socket, arguments[1], arguments.begin() + 2, arguments.end());
  }
  if (arguments[0] != "--enter-at") return std::nullopt;
  if (arguments.size() < 4) return report_error({"attach: --enter-at: accepted: --enter-at SOCKET HOST COMMAND..."});
  return run_agent(arguments[1], arguments[2], arguments.begin() + 3, arguments.end());
}

}  // namespace

int run_attach(const Arguments& arguments) {
  if (const auto status = run_as_agent(arguments)) return *status;
  AttachOptions options;
  Options parser("attach", "-n N [options] PROGRAM [ARGS...]",
                 "Runs real programs on the hosts of a platform: each host is a network namespace, and the packets\n"
                 "between them cross the packet model in real time. In such a job, rehearse attach --enter HOST\n"
                 "COMMAND... runs a command on another host.",
                 "rehearse attach -n 4 --on cluster:4 --time-factor 10 mpirun ./ring");
  declare(parser.app(), options);
  parser.refuse({"--pcap"});
  if (const auto status = parser.parse_with_program(arguments)) return *status;
  app::AttachRequest& request = options.request;
  if (request.time_factor < 1)
    return report_error({fmt::format("attach: --time-factor: {:.6g} given; accepted: 1 or more", request.time_factor)});
  auto own = own_program();
  auto prefix = own_prefix();
  if (!own || !prefix) return report_error(own ? prefix.error() : own.error());
  request.own_program = own.value();
  request.slowing_library = prefix.value() + "/lib/librehearse_slowdown.so";
  request.program = parser.program();
  for (char** setting = environ; *setting != nullptr; ++setting) request.environment.emplace_back(*setting);
  const Interrupt interrupt;
  request.stop = interrupt.stop();
  const auto report = app::attach(request);
  if (!report) return report_error(of_verb("attach", report.error()));
  if (!options.json.empty()) {
    const Result<void> written = write_json(options.json, json_of(report.value()));
    if (!written) return report_error({"attach: --json: " + written.error().text});
  }
  if (!options.quiet && options.json != "-") print_attach_summary(report.value());
  return status_of_job(report.value());
}

}  // namespace rehearse::cli
