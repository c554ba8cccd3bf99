// SPDX-License-Identifier: MIT
//
// See simcore/slow_hosts.hpp.
#include "simcore/slow_hosts.hpp"

#include <charconv>
#include <optional>

#include "simcore/platform/units.hpp"
#include "simcore/support/format.hpp"

namespace rehearse {
namespace {

constexpr const char* accepted_slow_hosts = "HOST=bandwidth:FACTOR,latency:FACTOR or HOST=latency:+TIME";
constexpr double least_factor = 1e-9, most_factor = 1e9, most_more_seconds = 1e4;

using Fault = std::optional<Error>;

Fault take_factor(std::string_view key, std::string_view text, double& factor) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), factor);
  if (error == std::errc{} && end == text.data() + text.size() && factor >= least_factor && factor <= most_factor)
    return std::nullopt;
  return Error{fmt::format("{}: '{}' given; accepted: a factor from {:g} to {:g}{}", key, text, least_factor,
                           most_factor, key == "latency" ? ", or a time to add such as +1ms" : "")};
}

Fault take_more(std::string_view text, double& seconds) {
  const auto parsed = platform::parse_seconds(text.substr(1));
  if (parsed && parsed.value() > 0 && parsed.value() <= most_more_seconds) {
    seconds = parsed.value();
    return std::nullopt;
  }
  return Error{fmt::format("latency: '{}' given; accepted: a factor, or + and a time above 0, at most {:g} s", text,
                           most_more_seconds)};
}

// An item KEY:VALUE.
Fault take_item(std::string_view item, SlowHost& host, bool& has_bandwidth, bool& has_latency) {
  const std::size_t colon = item.find(':');
  const std::string_view key = item.substr(0, colon);
  if (colon == std::string_view::npos || (key != "bandwidth" && key != "latency"))
    return Error{fmt::format("'{}' given; accepted: bandwidth:FACTOR, latency:FACTOR, latency:+TIME", item)};
  bool& is_given = key == "bandwidth" ? has_bandwidth : has_latency;
  if (is_given) return Error{fmt::format("{} given twice; accepted: once", key)};
  is_given = true;
  const std::string_view value = item.substr(colon + 1);
  if (key == "bandwidth") return take_factor(key, value, host.bandwidth_factor);
  if (value.starts_with('+')) return take_more(value, host.more_latency_seconds);
  return take_factor(key, value, host.latency_factor);
}

// A changed quantity that varies at random.
Fault check_profiles(const Platform& platform, const SlowHost& slow, LinkId link) {
  const auto is_random = [](const Profile* profile) { return profile != nullptr && profile->is_stochastic(); };
  const bool changes_latency = slow.latency_factor != 1 || slow.more_latency_seconds != 0;
  const char* what = slow.bandwidth_factor != 1 && is_random(platform.bandwidth_profile(link)) ? "bandwidth"
                     : changes_latency && is_random(platform.latency_profile(link))            ? "latency"
                                                                                               : nullptr;
  if (what == nullptr) return std::nullopt;
  return Error{fmt::format("platform {}: link '{}' of host '{}' has a random profile of its {}; accepted: fixed values "
                           "and profiles of points",
                           platform.name(), platform.link(link).name, slow.name, what)};
}

}  // namespace

Result<SlowHost> parse_slow_host(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    return Error{fmt::format("'{}' given; accepted: {}", text, accepted_slow_hosts)};
  SlowHost host;
  host.name = text.substr(0, equals);
  bool has_bandwidth = false, has_latency = false;
  for (std::string_view rest = std::string_view(text).substr(equals + 1);;) {
    const std::size_t comma = rest.find(',');
    if (const Fault fault = take_item(rest.substr(0, comma), host, has_bandwidth, has_latency))
      return Error{fmt::format("host '{}': {}", host.name, fault->text)};
    if (comma == std::string_view::npos) return host;
    rest.remove_prefix(comma + 1);
  }
}

Result<Platform> slow_down(Platform platform, std::span<const SlowHost> hosts) {
  std::vector<ChangedLink> changes;
  for (const SlowHost& slow : hosts) {
    const auto host = platform.find_host(slow.name);
    if (!host) return Error{fmt::format("platform {} has no host '{}'", platform.name(), slow.name)};
    const std::vector<LinkId> links = own_links(platform, *host);
    if (links.empty())
      return Error{fmt::format("platform {}: host '{}' has no link of its own; accepted: hosts with a first or last "
                               "link that no route between two other hosts crosses",
                               platform.name(), slow.name)};
    for (const LinkId link : links) {
      if (const Fault fault = check_profiles(platform, slow, link)) return *fault;
      changes.push_back({link, slow.bandwidth_factor, slow.latency_factor, slow.more_latency_seconds});
    }
  }
  if (changes.empty()) return platform;
  return std::move(platform).with_links(changes);
}

}  // namespace rehearse
