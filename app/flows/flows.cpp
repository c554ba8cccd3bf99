// SPDX-License-Identifier: MIT
//
// Reads the flows, makes the models and runs the simulation.
#include "app/flows.hpp"

#include <algorithm>
#include <chrono>

#include "app/capture.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::app {

Result<FlowReport> simulate_flows(const FlowRequest& request) {
  auto models = make_model_options(request.models);
  if (!models) return Error{"flows: " + models.error().text};
  auto platform = make_platform_for(request.on, models.value());
  if (!platform) return Error{"flows: " + platform.error().text};
  models.value().stop = request.stop;
  const std::string network = network_model_name(models.value(), platform.value());
  FlowReport report{std::move(platform.value()), network, {}, {}, {}, {}, {}, {}, {}};
  auto flows = [&]() -> Result<std::vector<Flow>> {  // the cost model refers to the platform, which moves later
    auto capture = start_capture(request.pcap, models.value(), report.platform);
    if (!capture) return Error{"flows: " + capture.error().text};
    auto statistics = start_statistics(request.statistics, models.value(), report.platform);
    if (!statistics) return Error{"flows: " + statistics.error().text};
    auto costs = make_cost_model(models.value(), report.platform);
    if (!costs) return Error{"flows: " + costs.error().text};
    if (request.has_limits && !costs.value()->has_limits())
      return Error{fmt::format("flows: --explain: network model {} knows no limits of flows", report.network)};
    auto read = read_flows(request.file, report.platform);
    if (!read) return read;
    const auto begin = std::chrono::steady_clock::now();
    auto simulated = simulate(read.value(), {*costs.value(), report.platform, request.has_limits, request.stop});
    report.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (const auto& problem = simulated.problem) {
      if (problem->line == 0) return Error{"flows: " + problem->text, true};
      return Error{fmt::format("{}:{}: {}", request.file, problem->line, problem->text)};
    }
    if (capture.value())
      if (const auto saved = capture.value()->close(); !saved) return Error{"flows: " + saved.error().text};
    report.ends = std::move(simulated.ends);
    report.interrupted_at = simulated.interrupted;
    report.end_seconds = report.interrupted_at ? report.interrupted_at->seconds() : 0;
    for (const FlowEnd& end : report.ends) report.end_seconds = std::max(report.end_seconds, end.seconds);
    if (const PacketNetwork* counts = costs.value()->packets()) report.packets = summary_of(*counts);
    if (statistics.value())
      report.statistics = statistics.value()->finish(TimePoint{} + Duration::from_seconds(report.end_seconds));
    return read;
  }();
  if (!flows) return flows.error();
  report.flows = std::move(flows.value());
  return report;
}

}  // namespace rehearse::app
