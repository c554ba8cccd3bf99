// SPDX-License-Identifier: MIT
//
// rehearse flows: when flows on a platform end, and why not earlier.
#include <algorithm>
#include <iomanip>
#include <iostream>
#include <sstream>

#include "app/cli/machine_options.hpp"
#include "app/cli/message.hpp"
#include "app/cli/report/flow_explanation.hpp"
#include "app/cli/report/output_file.hpp"
#include "app/cli/verb_options.hpp"
#include "app/cli/verbs.hpp"
#include "app/exit_status.hpp"
#include "app/finding_json.hpp"
#include "app/flow_run.hpp"
#include "app/model_flags.hpp"

namespace rehearse::cli {
namespace {

struct FlowOptions {
  std::string on;
  std::string file;
  std::string json;
  app::ModelFlags models;
  bool explain = false, quiet = false;
};

void declare(OptionSet& app, FlowOptions& options) {
  app.add_option("FLOWS", options.file, "file of lines: start source destination bytes [rate] (-: standard input)")
      ->required();
  app.add_option("--on", options.on, "platform: a built-in one (rehearse list platforms) or an XML file")->required();
  cli::declare(app, options.models);
  app.add_flag("--explain", options.explain, "also print what limits the rate of each flow, and when");
  app.add_option("--json", options.json, "file to write a report to, as JSON (-: standard output)");
  app.add_flag("--quiet", options.quiet, "print no text");
}

app::Json report_of(const std::string& network, const std::vector<app::Flow>& flows,
                    const std::vector<app::FlowEnd>& ends, const Platform& platform, bool explain) {
  app::Json json = {{"network", network}, {"flows", app::Json::array()}};
  for (std::size_t i = 0; i < flows.size(); ++i) {
    app::Json flow = {{"start", flows[i].start_seconds},
                 {"source", platform.host(flows[i].source).name},
                 {"destination", platform.host(flows[i].destination).name},
                 {"bytes", flows[i].bytes},
                 {"end", ends[i].seconds},
                 {"status", ends[i].failed ? "failed" : "done"}};
    if (explain) {
      flow["limits"] = app::Json::array();
      for (const app::LimitedTime& time : ends[i].limits)
        flow["limits"].push_back({{"from", time.from.seconds()},
                                  {"to", time.to.seconds()},
                                  {"by", name_of(time.limit.kind)},
                                  {"what", what_limits(time.limit, platform)},
                                  {"flows", time.limit.flows},
                                  {"rate", time.rate}});
    }
    json["flows"].push_back(std::move(flow));
  }
  return json;
}

void print_text(const std::vector<app::Flow>& flows, const std::vector<app::FlowEnd>& ends, const Platform& platform) {
  for (std::size_t i = 0; i < flows.size(); ++i) {
    std::cout << platform.host(flows[i].source).name << " -> " << platform.host(flows[i].destination).name << ": "
              << std::setprecision(12) << flows[i].bytes << " bytes from " << flows[i].start_seconds << " s "
              << (ends[i].failed ? "failed at " : "to ") << ends[i].seconds << " s\n";
  }
}

}  // namespace

int run_flows(const Arguments& arguments) {
  FlowOptions options;
  Options parser("flows", "--on PLATFORM [options] FLOWS", "Reports when flows on a platform end, and what "
                                                           "limits each of them.",
                 "rehearse flows --on cluster:4 --explain flows.txt");
  declare(parser.app(), options);
  if (const auto status = parser.parse(arguments)) return *status;
  auto models = make_model_options(options.models);
  if (!models) return report_error({"flows: " + models.error().text});
  auto platform = make_platform(options.on, app::routes_of(models.value()));
  if (!platform) return report_error({"flows: " + platform.error().text});
  auto costs = make_cost_model(models.value(), platform.value());
  if (!costs) return report_error({"flows: " + costs.error().text});
  auto flows = app::read_flows(options.file, platform.value());
  if (!flows) return report_error(flows.error());

  std::optional<app::FlowProblem> problem;
  const std::vector<app::FlowEnd> ends =
      simulate(flows.value(), *costs.value(), platform.value(), options.explain, problem);
  if (problem) return report_error({options.file + ":" + std::to_string(problem->line) + ": " + problem->text});
  if (!options.quiet && options.json != "-") {
    if (options.explain) {
      for (std::size_t i = 0; i < ends.size(); ++i)
        explain(std::cout, flows.value()[i], ends[i], platform.value());
    } else {
      print_text(flows.value(), ends, platform.value());
    }
  }
  if (!options.json.empty()) {
    const std::string name = network_model_name(models.value(), platform.value());
    const app::Json report = report_of(name, flows.value(), ends, platform.value(), options.explain);
    const Result<void> written = write_json(options.json, report);
    if (!written) return report_error({"flows: --json: " + written.error().text});
  }
  return app::exit_good;
}

}  // namespace rehearse::cli
