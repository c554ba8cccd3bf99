// SPDX-License-Identifier: MIT
//
// The fluid cost model: paths computed once per pair of hosts, the rest is sharing::Fluid.
#include "simcore/network/fluid_cost_model.hpp"

#include <algorithm>

#include "simcore/support/assert.hpp"

namespace rehearse::network {

FluidCostModel::FluidCostModel(const Platform& platform, const NetworkConstants& constants)
    : platform_(platform), constants_(constants), link_resources_(platform.links().size()) {
  for (std::size_t i = 0; i < platform.links().size(); ++i) {
    const Link& link = platform.links()[i];
    if (link.sharing == LinkSharing::shared)
      link_resources_[i] = fluid_.add_resource(link.bytes_per_second);
  }
  for (const Host& host : platform.hosts())
    host_uses_.push_back({fluid_.add_resource(host.cores * host.flops_per_second), 1});
}

const FluidCostModel::Path& FluidCostModel::path(HostId source, HostId destination) {
  const std::uint64_t key = (std::uint64_t{source.value} << 32) | destination.value;
  const auto found = paths_.find(key);
  if (found != paths_.end()) return found->second;
  return paths_.emplace(key, make_path(source, destination)).first->second;
}

FluidCostModel::Path FluidCostModel::make_path(HostId source, HostId destination) const {
  const std::optional<Route> route = platform_.find_route(source, destination);
  if (!route) return {};
  Path path{true, route->latency_seconds, 0, sharing::unbounded, {}};
  const auto add = [&](LinkId id, double coefficient) {
    const Link& link = platform_.link(id);
    if (link.sharing == LinkSharing::fatpipe) {
      path.bound = std::min(path.bound, link.bytes_per_second / coefficient);
      return;
    }
    const sharing::ResourceIndex resource = link_resources_[id.value];
    const auto known = std::find_if(path.uses.begin(), path.uses.end(),
                                    [&](const auto& use) { return use.resource == resource; });
    if (known == path.uses.end())
      path.uses.push_back({resource, coefficient});
    else
      known->coefficient += coefficient;
  };
  for (const LinkId id : route->links) {
    add(id, 1);
    path.bound = std::min(path.bound, platform_.link(id).bytes_per_second);
    path.weight += constants_.weight_bytes / platform_.link(id).bytes_per_second;
  }
  if (constants_.cross_traffic > 0)
    if (const std::optional<Route> reverse = platform_.find_route(destination, source))
      for (const LinkId id : reverse->links) add(id, constants_.cross_traffic);
  path.weight = constants_.weight_bytes > 0 ? path.weight + path.latency_seconds : 1;
  // Without links, as between coordinates, it costs nothing but its latency.
  if (constants_.window_bytes > 0 && path.latency_seconds > 0 && !route->links.empty())
    path.bound = std::min(path.bound, constants_.window_bytes / (2 * path.latency_seconds));
  return path;
}

std::optional<ActivityId> FluidCostModel::start(const Transfer& transfer, TimePoint now) {
  REHEARSE_ASSERT(!transfer.read_from && !transfer.write_to, "streams: being written");
  const Path& path = this->path(transfer.source, transfer.destination);
  if (!path.exists) return std::nullopt;
  const auto bytes = static_cast<std::uint64_t>(transfer.bytes);
  const double delay = path.latency_seconds * constants_.latency_factor *
                       factor_for(constants_.latency_pieces, bytes);
  const double factor =
      constants_.bandwidth_factor * factor_for(constants_.bandwidth_pieces, bytes);
  const double bound = std::min(path.bound, transfer.rate / factor);
  const double amount = bound < sharing::unbounded ? transfer.bytes / factor : 0;
  return ActivityId{
      fluid_.start({Duration::from_seconds(delay), amount, path.weight, bound, path.uses}, now)};
}

ActivityId FluidCostModel::start(const Computation& computation, TimePoint now) {
  const double threads = computation.threads;
  const double speed = threads * platform_.host(computation.host).flops_per_second;
  return ActivityId{fluid_.start(
      {Duration{}, threads * computation.flops, 1 / (threads * computation.priority),
       std::min(speed, computation.rate), std::span(&host_uses_[computation.host.value], 1)},
      now)};
}

std::optional<Duration> FluidCostModel::latency(HostId source, HostId destination, TimePoint) {
  const Path& path = this->path(source, destination);
  if (!path.exists) return std::nullopt;
  return Duration::from_seconds(path.latency_seconds);
}

void FluidCostModel::advance(TimePoint now, std::vector<Ended>& ended) {
  ended_.clear();
  fluid_.advance(now, ended_);
  for (const std::uint32_t activity : ended_) ended.push_back({{activity}, false});
}

std::optional<ActivityId> FluidCostModel::start(const ParallelTask&, TimePoint) {
  REHEARSE_ASSERT(false, "being written");
}
ActivityId FluidCostModel::start(const DiskAccess&, TimePoint) {
  REHEARSE_ASSERT(false, "being written");
}
void FluidCostModel::cancel(ActivityId, TimePoint) { REHEARSE_ASSERT(false, "being written"); }
void FluidCostModel::suspend(ActivityId, TimePoint) { REHEARSE_ASSERT(false, "being written"); }
void FluidCostModel::resume(ActivityId, TimePoint) { REHEARSE_ASSERT(false, "being written"); }
void FluidCostModel::set_rate(ActivityId, double, TimePoint) {
  REHEARSE_ASSERT(false, "being written");
}
void FluidCostModel::set_priority(ActivityId, double, TimePoint) {
  REHEARSE_ASSERT(false, "being written");
}
void FluidCostModel::set_host(ActivityId, HostId, TimePoint) {
  REHEARSE_ASSERT(false, "being written");
}
double FluidCostModel::remaining(ActivityId, TimePoint) {
  REHEARSE_ASSERT(false, "being written");
}
double FluidCostModel::rate(ActivityId, TimePoint) { REHEARSE_ASSERT(false, "being written"); }
Limit FluidCostModel::limit(ActivityId, TimePoint) { REHEARSE_ASSERT(false, "being written"); }
void FluidCostModel::set_host_on(HostId, bool, TimePoint) {
  REHEARSE_ASSERT(false, "being written");
}
bool FluidCostModel::is_host_on(HostId, TimePoint) { REHEARSE_ASSERT(false, "being written"); }
void FluidCostModel::set_pstate(HostId, std::uint32_t, TimePoint) {
  REHEARSE_ASSERT(false, "being written");
}
std::uint32_t FluidCostModel::pstate(HostId) const { REHEARSE_ASSERT(false, "being written"); }
double FluidCostModel::host_speed(HostId, TimePoint) { REHEARSE_ASSERT(false, "being written"); }
double FluidCostModel::available_flops(HostId, TimePoint, TimePoint) {
  REHEARSE_ASSERT(false, "being written");
}
void FluidCostModel::set_host_capacity_function(HostId, CapacityFunction, TimePoint) {
  REHEARSE_ASSERT(false, "being written");
}
void FluidCostModel::set_link_on(LinkId, bool, TimePoint) {
  REHEARSE_ASSERT(false, "being written");
}
bool FluidCostModel::is_link_on(LinkId, TimePoint) { REHEARSE_ASSERT(false, "being written"); }
void FluidCostModel::set_bandwidth(LinkId, double, TimePoint) {
  REHEARSE_ASSERT(false, "being written");
}
double FluidCostModel::bandwidth(LinkId, TimePoint) { REHEARSE_ASSERT(false, "being written"); }
void FluidCostModel::set_latency(LinkId, double, TimePoint) {
  REHEARSE_ASSERT(false, "being written");
}
double FluidCostModel::link_latency(LinkId, TimePoint) { REHEARSE_ASSERT(false, "being written"); }
void FluidCostModel::set_concurrency_limit(LinkId, std::uint32_t, TimePoint) {
  REHEARSE_ASSERT(false, "being written");
}
void FluidCostModel::set_link_capacity_function(LinkId, CapacityFunction, TimePoint) {
  REHEARSE_ASSERT(false, "being written");
}
void FluidCostModel::set_wifi_rate(LinkId, HostId, std::uint32_t, TimePoint) {
  REHEARSE_ASSERT(false, "being written");
}
void FluidCostModel::set_disk_bandwidths(DiskId, double, double, double, TimePoint) {
  REHEARSE_ASSERT(false, "being written");
}
void FluidCostModel::observe(ResourceObserver&, ObserverNeeds) {
  REHEARSE_ASSERT(false, "being written");
}

}  // namespace rehearse::network
