// SPDX-License-Identifier: MIT
//
// rehearse flows: the ends of flows on a platform, and their limits.
#include <iomanip>
#include <iostream>
#include <optional>

#include "app/cli/interrupt.hpp"
#include "app/cli/machine_options.hpp"
#include "app/cli/message.hpp"
#include "app/cli/report/flow_explanation.hpp"
#include "app/cli/report/output_file.hpp"
#include "app/cli/report/packet_links.hpp"
#include "app/cli/report/statistics_file.hpp"
#include "app/cli/simulation_line.hpp"
#include "app/cli/verb_options.hpp"
#include "app/cli/verbs.hpp"
#include "app/exit_status.hpp"
#include "app/finding_json.hpp"
#include "app/flows.hpp"
#include "app/wording.hpp"

namespace rehearse::cli {
namespace {

struct FlowOptions {
  app::FlowRequest request;
  std::string json;
  bool quiet = false, verbose = false;
};

void declare(OptionSet& app, FlowOptions& options) {
  app::FlowRequest& request = options.request;
  app.add_option("FLOWS", request.file, "file of lines: start source destination bytes [rate] (-: standard input)")
      ->required();
  app.add_option("--on", request.on, "platform: a built-in one (rehearse list platforms) or an XML file")->required();
  cli::declare(app, request.models);
  declare_capture(app, request.pcap);
  declare_statistics(app, request.statistics);
  app.add_flag("--explain", request.has_limits, "also print what limits the rate of each flow, and when");
  app.add_option("--json", options.json, "file to write a report to, as JSON (-: standard output)");
  app.add_flag("--quiet", options.quiet, "print no text");
  app.add_flag("--verbose", options.verbose, "with --network packet: also print the numbers of packets and events");
}

std::vector<std::string> flow_notes(const app::FlowReport& report) {
  if (!report.packets) return {};
  return app::notes_of(*report.packets, report.statistics ? &*report.statistics : nullptr, report.platform,
                       report.end_seconds);
}

void add_packets(app::Json& json, const app::PacketSummary& packets, const Platform& platform) {
  json["packet_hops"] = packets.totals.packet_hops;
  json["events"] = packets.totals.events;
  json["links"] = app::Json::array();
  for (const PacketLink& link : packets.links)
    json["links"].push_back(link_totals(platform.link(link.link).name, link));
}

const char* word_of(app::FlowStatus status) {
  switch (status) {
    case app::FlowStatus::done: return "done";
    case app::FlowStatus::failed: return "failed";
    case app::FlowStatus::unfinished: break;
  }
  return "unfinished";
}

app::Json report_of(const app::FlowReport& report, bool has_limits) {
  app::Json json = {{"network", report.network}, {"flows", app::Json::array()}};
  const Platform& platform = report.platform;
  const std::vector<app::Flow>& flows = report.flows;
  const std::vector<app::FlowEnd>& ends = report.ends;
  for (std::size_t i = 0; i < flows.size(); ++i) {
    app::Json flow = {{"start", flows[i].start_seconds},
                      {"source", platform.host(flows[i].source).name},
                      {"destination", platform.host(flows[i].destination).name},
                      {"bytes", flows[i].bytes},
                      {"end", nullptr},
                      {"status", word_of(ends[i].status)}};
    if (ends[i].status != app::FlowStatus::unfinished) flow["end"] = ends[i].seconds;
    if (ends[i].packets) {
      flow["retransmissions"] = ends[i].packets->retransmissions;
      flow["timeouts"] = ends[i].packets->timeouts;
      flow["drops"] = ends[i].packets->drops;
    }
    if (has_limits) {
      flow["limits"] = app::Json::array();
      for (const app::LimitedTime& time : ends[i].limits)
        flow["limits"].push_back({{"from", time.from.seconds()},
                                  {"to", time.to.seconds()},
                                  {"by", name_of(time.limit.kind)},
                                  {"what", limiting_resource(time.limit, platform)},
                                  {"flows", time.limit.flows},
                                  {"rate", time.rate}});
    }
    json["flows"].push_back(std::move(flow));
  }
  if (report.packets) add_packets(json, *report.packets, platform);
  if (report.packets) json["notes"] = app::Json(flow_notes(report));
  if (report.interrupted_at) json["interrupted_seconds"] = report.interrupted_at->seconds();
  return json;
}

void print_text(const app::FlowReport& report, bool has_limits) {
  const Platform& platform = report.platform;
  for (std::size_t i = 0; i < report.flows.size(); ++i) {
    const app::Flow& flow = report.flows[i];
    const app::FlowEnd& end = report.ends[i];
    if (has_limits) {
      explain(std::cout, flow, end, platform);
      continue;
    }
    std::cout << platform.host(flow.source).name << " -> " << platform.host(flow.destination).name << ": "
              << std::setprecision(12) << flow.bytes << " bytes from " << flow.start_seconds << " s " << end_of(end, 12)
              << '\n';
  }
}

void print_flow_notes(const app::FlowReport& report, bool verbose) {
  std::cout << std::flush;  // notes come behind the flows
  for (const std::string& note : flow_notes(report)) std::cerr << "note: " << note << '\n';
  if (verbose && report.packets)
    std::cerr << "rehearse: " << app::line_of(*report.packets, report.wall_seconds) << '\n';
}

}  // namespace

int run_flows(const Arguments& arguments) {
  FlowOptions options;
  Options parser("flows", "--on PLATFORM [options] FLOWS",
                 "Reports when flows on a platform end, and what "
                 "limits each of them.",
                 "rehearse flows --on cluster:4 --explain flows.txt");
  declare(parser.app(), options);
  if (const auto status = parser.parse(arguments)) return *status;
  Result<app::FlowReport> report = Error{};
  {
    SimulationLine line(!options.quiet);
    options.request.models.on_progress = line.shows();
    const Interrupt interrupt;
    options.request.stop = interrupt.stop();
    report = app::simulate_flows(options.request);
  }
  if (!report) return report_error(report.error());
  const bool has_limits = options.request.has_limits;
  if (!options.quiet && options.json != "-") print_text(report.value(), has_limits);
  if (!options.quiet) print_flow_notes(report.value(), options.verbose);
  if (!options.json.empty()) {
    const Result<void> written = write_json(options.json, report_of(report.value(), has_limits));
    if (!written) return report_error({"flows: --json: " + written.error().text});
  }
  if (report.value().statistics) {
    const Subject subject{options.request.file, report.value().platform, report.value().network};
    const Result<void> written = write_statistics(options.request.statistics, *report.value().statistics, subject,
                                                  "flows", flow_notes(report.value()));
    if (!written) return report_error({"flows: " + written.error().text});
  }
  if (!report.value().interrupted_at) return app::exit_good;
  if (!options.quiet)
    std::cerr << "inconclusive: interrupted after " << app::in_seconds(*report.value().interrupted_at) << '\n';
  return app::exit_inconclusive;
}

}  // namespace rehearse::cli
