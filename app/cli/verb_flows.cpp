// SPDX-License-Identifier: MIT
//
// rehearse flows: the ends of flows on a platform, and their limits.
#include <iomanip>
#include <iostream>

#include "app/cli/machine_options.hpp"
#include "app/cli/message.hpp"
#include "app/cli/report/flow_explanation.hpp"
#include "app/cli/report/output_file.hpp"
#include "app/cli/verb_options.hpp"
#include "app/cli/verbs.hpp"
#include "app/exit_status.hpp"
#include "app/finding_json.hpp"
#include "app/flows.hpp"

namespace rehearse::cli {
namespace {

struct FlowOptions {
  app::FlowRequest request;
  std::string json;
  bool quiet = false;
};

void declare(OptionSet& app, FlowOptions& options) {
  app::FlowRequest& request = options.request;
  app.add_option("FLOWS", request.file, "file of lines: start source destination bytes [rate] (-: standard input)")
      ->required();
  app.add_option("--on", request.on, "platform: a built-in one (rehearse list platforms) or an XML file")->required();
  cli::declare(app, request.models);
  app.add_flag("--explain", request.has_limits, "also print what limits the rate of each flow, and when");
  app.add_option("--json", options.json, "file to write a report to, as JSON (-: standard output)");
  app.add_flag("--quiet", options.quiet, "print no text");
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
                      {"end", ends[i].seconds},
                      {"status", ends[i].failed ? "failed" : "done"}};
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
              << std::setprecision(12) << flow.bytes << " bytes from " << flow.start_seconds << " s "
              << (end.failed ? "failed at " : "to ") << end.seconds << " s\n";
  }
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
  auto report = app::simulate_flows(options.request);
  if (!report) return report_error(report.error());
  const bool has_limits = options.request.has_limits;
  if (!options.quiet && options.json != "-") print_text(report.value(), has_limits);
  if (!options.json.empty()) {
    const Result<void> written = write_json(options.json, report_of(report.value(), has_limits));
    if (!written) return report_error({"flows: --json: " + written.error().text});
  }
  return app::exit_good;
}

}  // namespace rehearse::cli
