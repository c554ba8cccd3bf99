// SPDX-License-Identifier: MIT
//
// Paths of the network models that ignore the links between the ends.
#include "simcore/network/plain_paths.hpp"

#include "simcore/platform/units.hpp"

namespace rehearse::network {

void ConstantPaths::find(Path& path) { path.exists = true; }

void ConstantPaths::refresh(Path& path) { path.latency_seconds = seconds_; }

std::optional<Error> LastMilePaths::check(const Platform& platform) {
  for (std::uint32_t i = 0; i < platform.hosts().size(); ++i) {
    const Properties* properties = platform.properties(HostId{i});
    if (!properties) continue;
    for (const char* name : {"upload", "download", "last_mile_latency"}) {
      const auto property = properties->find(name);
      if (property == properties->end()) continue;
      const bool is_latency = name == std::string_view("last_mile_latency");
      auto value = is_latency ? platform::parse_seconds(property->second)
                              : platform::parse_bytes_per_second(property->second);
      if (value && (value.value() > 0 || (is_latency && value.value() == 0))) continue;
      return Error{"platform '" + platform.name() + "': host '" + platform.host({i}).name + "', property " + name +
                   ": " + (value ? "'" + property->second + "' given; accepted: more than 0" : value.error().text)};
    }
  }
  return std::nullopt;
}

const LastMilePaths::End& LastMilePaths::end(HostId host) {
  End& end = ends_[host.value];
  if (end.is_known) return end;
  end.is_known = true;
  end.upload_bandwidth = bandwidth(host, "upload", true) * changes_.bandwidth_factor;
  end.download_bandwidth = bandwidth(host, "download", false) * changes_.bandwidth_factor;
  if (changes_.has_contention && changes_.has_bandwidths()) {
    end.upload = resources_.add({cost::OwnerKind::upload, host.value}, end.upload_bandwidth);
    end.download = resources_.add({cost::OwnerKind::download, host.value}, end.download_bandwidth);
  }
  if (const Properties* properties = platform_.properties(host))
    if (const auto text = properties->find("last_mile_latency"); text != properties->end())
      end.latency_seconds = platform::parse_seconds(text->second).value();
  return end;
}

// check() has validated the property.
double LastMilePaths::bandwidth(HostId host, const char* property, bool is_upload) const {
  if (const Properties* properties = platform_.properties(host))
    if (const auto text = properties->find(property); text != properties->end())
      return platform::parse_bytes_per_second(text->second).value();
  const auto hosts = static_cast<std::uint32_t>(platform_.hosts().size());
  const HostId next{(host.value + 1) % hosts};
  const std::optional<Route> route = is_upload ? platform_.find_route(host, next) : platform_.find_route(next, host);
  if (!route || route->links.empty()) return 1e300;  // unlimited
  const LinkId link = is_upload ? route->links.front() : route->links.back();
  return platform_.link(link).bytes_per_second;
}

void LastMilePaths::find(Path& path) {
  path.exists = true;
  const End& from = end(path.source);
  const End& to = end(path.destination);
  path.distance_seconds = 0;
  if (path.source == path.destination) return;
  if (from.latency_seconds || to.latency_seconds)
    path.distance_seconds = from.latency_seconds.value_or(0) + to.latency_seconds.value_or(0);
  else if (const auto route = platform_.find_route(path.source, path.destination))
    path.distance_seconds = route->latency_seconds;
  path.distance_seconds *= changes_.latency_factor;
}

void LastMilePaths::refresh(Path& path) {
  path.latency_seconds = path.distance_seconds;
  path.last_terms = {};
  path.uses.clear();
  if (path.source == path.destination || !changes_.has_bandwidths()) return;
  if (!changes_.has_contention) {
    path.fatpipe_bound =
        std::min(ends_[path.source.value].upload_bandwidth, ends_[path.destination.value].download_bandwidth);
    return;
  }
  path.uses.push_back({ends_[path.source.value].upload, 1});
  path.uses.push_back({ends_[path.destination.value].download, 1});
}

void LogGpsPaths::find(Path& path) {
  const auto route = platform_.find_route(path.source, path.destination);
  path.exists = route.has_value() || (options_.latency && options_.gap_per_byte);
  path.distance_seconds = 0;
  if (!route) return;
  path.links = route->links;
  path.has_profiles = false;
  for (const LinkId link : path.links)
    path.has_profiles |= platform_.bandwidth_profile(link) || platform_.latency_profile(link);
  path.distance_seconds = route->latency_seconds;
  for (const LinkId link : path.links) path.distance_seconds -= platform_.link(link).latency_seconds;
  if (path.distance_seconds < 1e-12 * route->latency_seconds) path.distance_seconds = 0;
  path.distance_seconds = links_.changed_latency(path.distance_seconds);
}

void LogGpsPaths::refresh(Path& path) {
  path.is_off = false;
  path.latency_seconds = path.distance_seconds;
  path.least_bandwidth = sharing::unbounded;
  for (const LinkId link : path.links) {
    const LinkState& state = links_[link];
    path.is_off |= !state.is_on;
    path.latency_seconds += state.latency_seconds;
    path.least_bandwidth = std::min(path.least_bandwidth, state.bytes_per_second);
  }
  if (options_.latency) path.latency_seconds = links_.changed_latency(*options_.latency);
  if (options_.gap_per_byte) path.least_bandwidth = links_.changed_bandwidth(1 / *options_.gap_per_byte);
  if (!changes_.has_bandwidths()) path.least_bandwidth = sharing::unbounded;
}

}  // namespace rehearse::network
