// SPDX-License-Identifier: MIT
//
// Platforms as values, and the choice between built-in ones and files.
#include "simcore/platform.hpp"

#include "simcore/platform/built_in.hpp"
#include "simcore/platform/xml_platform.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse {

Platform::Platform(std::string name, std::vector<Host> hosts, std::vector<Link> links,
                   std::unique_ptr<const Routing> routing)
    : name_(std::move(name)),
      hosts_(std::move(hosts)),
      links_(std::move(links)),
      routing_(std::move(routing)) {
  REHEARSE_ASSERT(!hosts_.empty(), "a platform has at least one host");
  for (std::uint32_t i = 0; i < hosts_.size(); ++i) {
    const bool is_new = by_name_.emplace(hosts_[i].name, HostId{i}).second;
    REHEARSE_ASSERT(is_new, "host names are distinct");
  }
}

std::optional<HostId> Platform::find_host(std::string_view name) const {
  const auto found = by_name_.find(std::string(name));
  if (found == by_name_.end()) return std::nullopt;
  return found->second;
}

std::optional<Route> Platform::find_route(HostId source, HostId destination) const {
  Route route;
  if (!routing_->append_route(source, destination, route.links)) return std::nullopt;
  for (const LinkId id : route.links) route.latency_seconds += link(id).latency_seconds;
  return route;
}

Result<Platform> make_platform(const std::string& name_or_file) {
  if (platform::is_built_in(name_or_file)) return platform::make_built_in(name_or_file);
  return platform::load_xml(name_or_file);
}

}  // namespace rehearse
