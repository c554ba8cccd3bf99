// SPDX-License-Identifier: MIT
//
// Paths of flows that share links.
#include "simcore/network/fluid_paths.hpp"

namespace rehearse::network {

void FluidPaths::find(Path& path) {
  route_.links.clear();
  route_.latency_seconds = 0;
  path.exists = platform_.find_route(path.source, path.destination, route_);
  if (!path.exists) return;
  path.links = route_.links;
  path.has_profiles = false;
  note_profiles(path, path.links);
  path.distance_seconds = route_.latency_seconds;
  for (const LinkId link : path.links) path.distance_seconds -= platform_.link(link).latency_seconds;
  // A remainder from rounding is not a distance.
  if (path.distance_seconds < 1e-12 * route_.latency_seconds) path.distance_seconds = 0;
  path.distance_seconds = links_.changed_latency(path.distance_seconds);
  if (parameters_.cross_traffic <= 0 || (parameters_.has_connections && path.is_local())) return;
  route_.links.clear();
  route_.latency_seconds = 0;
  if (platform_.find_route(path.destination, path.source, route_)) path.reverse = route_.links;
  note_profiles(path, path.reverse);
}

void FluidPaths::note_profiles(Path& path, const std::vector<LinkId>& links) const {
  for (const LinkId link : links)
    path.has_profiles |= platform_.bandwidth_profile(link) || platform_.latency_profile(link);
}

// The capacity of the link that a flow of one byte per second uses.
double FluidPaths::coefficient_of(const std::vector<LinkId>& links, std::size_t at, HostId source,
                                  HostId destination) const {
  const LinkId link = links[at];
  if (platform_.link(link).sharing != LinkSharing::wifi) return 1;
  double coefficient = 0;
  if (at == 0 && platform_.wifi_link(source) == link) coefficient += 1 / links_.wifi_rate(link, source);
  if (at + 1 == links.size() && platform_.wifi_link(destination) == link)
    coefficient += 1 / links_.wifi_rate(link, destination);
  // Neither end is a station, so both are wired to the access point.
  return coefficient > 0 ? coefficient : 1 / links_.changed_bandwidth(platform_.link(link).bytes_per_second);
}

void FluidPaths::cross(Path& path, LinkId link, double coefficient) {
  const LinkState& state = links_[link];
  path.is_off |= !state.is_on;
  if (!parameters_.changes.has_bandwidths()) return;
  if (links_.is_fatpipe(link)) {
    const bool is_wifi = platform_.link(link).sharing == LinkSharing::wifi;
    const double bound = (is_wifi ? 1 : state.bytes_per_second) / coefficient;
    if (bound < path.fatpipe_bound) {
      path.fatpipe_bound = bound;
      path.fatpipe = link;
    }
  }
  if (!links_.is_resource(link) && !links_.is_meter(link)) return;
  std::vector<sharing::Use>& uses = links_.is_meter(link) ? path.meters : path.uses;
  const sharing::ResourceIndex resource = links_.resource(link);
  const auto known =
      std::find_if(uses.begin(), uses.end(), [&](const sharing::Use& use) { return use.resource == resource; });
  if (known == uses.end()) uses.push_back({resource, coefficient});
  else if (platform_.link(link).sharing == LinkSharing::fatpipe)
    known->coefficient = std::max(known->coefficient, coefficient);
  else known->coefficient += coefficient;
}

void FluidPaths::refresh(Path& path) {
  path.is_off = false;
  path.last_terms = {};
  path.uses.clear();
  path.meters.clear();
  path.latency_seconds = path.distance_seconds;
  path.window_bound = path.fatpipe_bound = path.least_bandwidth = path.first_bandwidth = sharing::unbounded;
  path.weight = path.store_seconds_per_byte = 0;
  double narrowest = sharing::unbounded;
  for (std::size_t i = 0; i < path.links.size(); ++i) {
    const LinkId link = path.links[i];
    const double coefficient = coefficient_of(path.links, i, path.source, path.destination);
    const bool is_wifi = platform_.link(link).sharing == LinkSharing::wifi;
    const double bandwidth = is_wifi ? 1 / coefficient : links_[link].bytes_per_second;
    cross(path, link, coefficient);
    path.latency_seconds += links_[link].latency_seconds;
    if (i == 0) path.first_bandwidth = bandwidth;
    if (!is_wifi) path.least_bandwidth = std::min(path.least_bandwidth, bandwidth);
    path.weight += parameters_.weight_bytes / bandwidth;
    path.store_seconds_per_byte += 1 / bandwidth;
    narrowest = std::min(narrowest, bandwidth);
  }
  path.store_seconds_per_byte -= 1 / narrowest;
  for (std::size_t i = 0; i < path.reverse.size(); ++i)
    cross(path, path.reverse[i],
          parameters_.cross_traffic * coefficient_of(path.reverse, i, path.destination, path.source));
  path.weight += path.latency_seconds;
  if (parameters_.has_quirks) {
    if (path.latency_seconds <= 0) path.weight = 1;
    // The current bound, which flows keep (F2).
    path.fatpipe_bound = path.least_bandwidth;
  } else if (parameters_.weight_bytes <= 0 || path.weight <= 0) {
    path.weight = 1;
  }
  if (!parameters_.changes.has_bandwidths()) {
    path.fatpipe_bound = path.least_bandwidth = path.first_bandwidth = sharing::unbounded;
    path.store_seconds_per_byte = 0;
  } else if (parameters_.window_bytes > 0 && path.latency_seconds > 0)
    path.window_bound = parameters_.window_bytes / (2 * path.latency_seconds);
}

}  // namespace rehearse::network
