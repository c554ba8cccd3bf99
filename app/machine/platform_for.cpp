// SPDX-License-Identifier: MIT
//
// The platform of a run: the links of slow hosts, and whether the network model takes them into account.
#include <optional>

#include "app/model_flags.hpp"
#include "simcore/cost_model.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

bool changes_latency(const SlowHost& host) { return host.latency_factor != 1 || host.more_latency_seconds != 0; }

bool has_property(const Platform& platform, HostId host, const char* name) {
  const Properties* properties = platform.properties(host);
  return properties != nullptr && properties->contains(name);
}

// Why the network model would ignore the change; nothing: it does not.
std::optional<std::string> reason_to_refuse(const SlowHost& slow, const ModelOptions& models,
                                            const Platform& platform) {
  const std::string network = network_model_name(models, platform);
  const bool has_bandwidth = slow.bandwidth_factor != 1;
  if (network == "constant") return "network model constant takes no notice of links; accepted: any other model";
  if (network == "loggps" && changes_latency(slow) && models.loggps.latency)
    return "latency: --loggps has L, which is the latency of all routes; accepted: --loggps without L";
  if (network == "loggps" && has_bandwidth && models.loggps.gap_per_byte)
    return "bandwidth: --loggps has G, which is the bandwidth of all routes; accepted: --loggps without G";
  const auto host = platform.find_host(slow.name);
  if (network != "last_mile" || !host) return std::nullopt;
  for (const char* property : {"upload", "download"})
    if (has_bandwidth && has_property(platform, *host, property))
      return fmt::format("bandwidth: host '{}' has the property {}, which network model last_mile takes instead of its "
                         "links; accepted: hosts without it",
                         slow.name, property);
  for (std::uint32_t i = 0; i < platform.hosts().size() && changes_latency(slow); ++i)
    if (has_property(platform, {i}, "last_mile_latency"))
      return fmt::format("latency: host '{}' has the property last_mile_latency, which network model last_mile takes "
                         "instead of links; accepted: platforms without it",
                         platform.host({i}).name);
  return std::nullopt;
}

}  // namespace

Result<Platform> make_platform_for(const std::string& name_or_file, const ModelOptions& options) {
  auto platform = make_platform(name_or_file, routes_of(options));
  if (!platform || options.slow_hosts.empty()) return platform;
  for (const SlowHost& slow : options.slow_hosts)
    if (const auto reason = reason_to_refuse(slow, options, platform.value())) return Error{"--slow: " + *reason};
  auto slowed = slow_down(std::move(platform.value()), options.slow_hosts);
  if (!slowed) return Error{"--slow: " + slowed.error().text};
  return slowed;
}

}  // namespace rehearse::app
