// SPDX-License-Identifier: MIT
//
// Reads the flows, makes the models and runs the simulation.
#include "app/flows.hpp"

#include "simcore/support/format.hpp"

namespace rehearse::app {

Result<FlowReport> simulate_flows(const FlowRequest& request) {
  auto models = make_model_options(request.models);
  if (!models) return Error{"flows: " + models.error().text};
  auto platform = make_platform(request.on, routes_of(models.value()));
  if (!platform) return Error{"flows: " + platform.error().text};
  std::string network = network_model_name(models.value(), platform.value());
  std::vector<FlowEnd> ends;
  auto flows = [&]() -> Result<std::vector<Flow>> {  // the cost model refers to the platform, which moves later
    auto costs = make_cost_model(models.value(), platform.value());
    if (!costs) return Error{"flows: " + costs.error().text};
    auto read = read_flows(request.file, platform.value());
    if (!read) return read;
    std::optional<FlowProblem> problem;
    ends = simulate(read.value(), *costs.value(), platform.value(), request.has_limits, problem);
    if (problem) return Error{fmt::format("{}:{}: {}", request.file, problem->line, problem->text)};
    return read;
  }();
  if (!flows) return flows.error();
  return FlowReport{std::move(platform.value()), std::move(network), std::move(flows.value()), std::move(ends)};
}

}  // namespace rehearse::app
