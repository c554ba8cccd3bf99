// SPDX-License-Identifier: MIT
//
// See cost_state.hpp.
#include "simcore/cost/cost_state.hpp"

#include <utility>

#include "simcore/network/fluid_paths.hpp"
#include "simcore/network/plain_paths.hpp"

namespace rehearse::cost {

namespace {

sharing::ParallelFluid::Rule rule_of(const network::NetworkParameters& parameters) {
  if (parameters.kind != network::NetworkKind::parallel) return nullptr;
  if (parameters.has_fair_bottleneck) return sharing::fair_bottleneck_rates;
  return sharing::bottleneck_max_fair_rates;
}

std::unique_ptr<network::PathMaker> make_path_maker(const Platform& platform, network::LinkStates& links,
                                                    Resources& resources,
                                                    const network::NetworkParameters& parameters) {
  switch (parameters.kind) {
    case network::NetworkKind::constant: return std::make_unique<network::ConstantPaths>(parameters.delay_seconds);
    case network::NetworkKind::last_mile:
      return std::make_unique<network::LastMilePaths>(platform, resources, parameters.changes);
    case network::NetworkKind::loggps: return std::make_unique<network::LogGpsPaths>(platform, links, parameters);
    default: return std::make_unique<network::FluidPaths>(platform, links, parameters);
  }
}

}  // namespace

CostState::CostState(const Platform& described, network::NetworkParameters given, const ModelOptions& options)
    : platform(described),
      parameters(std::move(given)),
      fluid(rule_of(parameters)),
      links(platform, resources, parameters),
      hosts(platform, resources, options.seed),
      disks(platform, resources),
      path_maker(make_path_maker(platform, links, resources, parameters)),
      paths(*path_maker, platform.hosts().size()) {
  if (const auto loopback = platform.find_link("__loopback__")) {
    network::LinkState& state = links[*loopback];
    if (parameters.loopback_bandwidth) state.bytes_per_second = links.changed_bandwidth(*parameters.loopback_bandwidth);
    if (parameters.loopback_latency) state.latency_seconds = links.changed_latency(*parameters.loopback_latency);
  }
}

}  // namespace rehearse::cost
