// SPDX-License-Identifier: MIT
//
// Recognizes and writes flat clusters.
#include "simcore/platform/extraction/flat_cluster.hpp"

#include <algorithm>
#include <charconv>

#include "simcore/platform/extraction/resource_text.hpp"
#include "simcore/platform/generator/number_text.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::platform {

namespace {

// The number of a host in the name of its first link.
std::optional<std::uint32_t> number_in(std::string_view link, const std::string& cluster) {
  const std::string start = cluster + "_link_";
  if (!link.starts_with(start)) return std::nullopt;
  link.remove_prefix(start.size());
  std::uint32_t number = 0;
  const auto [end, code] = std::from_chars(link.data(), link.data() + link.size(), number);
  if (code != std::errc()) return std::nullopt;
  const std::string_view rest = link.substr(static_cast<std::size_t>(end - link.data()));
  return rest.empty() || rest == "_UP" || rest == "_limiter" ? std::optional(number) : std::nullopt;
}

bool has_same_links(const Platform& platform, std::optional<LinkId> a, std::optional<LinkId> b) {
  if (!a || !b) return a.has_value() == b.has_value();
  const Link &one = platform.link(*a), &two = platform.link(*b);
  const auto is_plain = [&](LinkId id) {
    return platform.properties(id) == nullptr && platform.bandwidth_profile(id) == nullptr &&
           platform.latency_profile(id) == nullptr && platform.state_profile(id) == nullptr &&
           platform.concurrency_limit(id) == 0;
  };
  return is_plain(*a) && is_plain(*b) && one.bytes_per_second == two.bytes_per_second &&
         one.latency_seconds == two.latency_seconds && one.sharing == two.sharing;
}

bool has_same_attributes(const Platform& platform, HostId a, HostId b) {
  const auto properties = [&](HostId host) {
    return platform.properties(host) == nullptr ? Properties() : *platform.properties(host);
  };
  return std::ranges::equal(platform.speeds(a), platform.speeds(b)) &&
         platform.initial_pstate(a) == platform.initial_pstate(b) && platform.host(a).cores == platform.host(b).cores &&
         platform.disks_of(b).empty() && properties(a) == properties(b);
}

// 0-3,7
std::string radical_of(const std::vector<std::uint32_t>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    text += (text.empty() ? "" : ",") + std::to_string(numbers[i]);
    if (end > i + 1) text += "-" + std::to_string(numbers[end - 1]);
    i = end;
  }
  return text;
}

class ClusterReader {
 public:
  ClusterReader(const Platform& platform, std::span<const HostId> hosts) : platform_(platform) {
    cluster_.name = platform.zones()[platform.zone_of(hosts.front()).value].name;
    cluster_.hosts.assign(hosts.begin(), hosts.end());
    cluster_.router = cluster_.name + "_router";
  }

  std::optional<FlatCluster> read() {
    const bool is_read = read_numbers() && read_name() && read_links();
    return is_read ? std::optional(std::move(cluster_)) : std::nullopt;
  }

 private:
  bool read_numbers() {
    Route route;
    for (std::size_t i = 0; i < cluster_.hosts.size(); ++i) {
      const HostId other = cluster_.hosts[i == 0 ? 1 : 0];
      if (!platform_.find_route(cluster_.hosts[i], other, route) || route.links.empty()) return false;
      const auto number = number_in(platform_.link(route.links.front()).name, cluster_.name);
      if (!number) return false;
      cluster_.numbers.push_back(*number);
    }
    return true;
  }

  bool read_name() {
    const std::string& first = platform_.host(cluster_.hosts.front()).name;
    const std::string digits = std::to_string(cluster_.numbers.front());
    for (std::size_t at = first.find(digits); at != std::string::npos; at = first.find(digits, at + 1)) {
      cluster_.prefix = first.substr(0, at);
      cluster_.suffix = first.substr(at + digits.size());
      bool fits = true;
      for (std::size_t i = 0; fits && i < cluster_.hosts.size(); ++i)
        fits = platform_.host(cluster_.hosts[i]).name ==
               fmt::format("{}{}{}", cluster_.prefix, cluster_.numbers[i], cluster_.suffix);
      if (fits) return true;
    }
    return false;
  }

  std::optional<LinkId> link(std::size_t host, const char* ending) const {
    return platform_.find_link(fmt::format("{}_link_{}{}", cluster_.name, cluster_.numbers[host], ending));
  }

  bool read_links() {
    cluster_.backbone = platform_.find_link(cluster_.name + "_backbone");
    cluster_.loopback = link(0, "_loopback");
    cluster_.limiter = link(0, "_limiter");
    cluster_.is_duplex = !link(0, "").has_value();
    const auto cable = link(0, cluster_.is_duplex ? "_UP" : "");
    if (!cable) return false;
    cluster_.cable = *cable;
    for (std::size_t i = 0; i < cluster_.hosts.size(); ++i) {
      const bool is_equal = has_same_attributes(platform_, cluster_.hosts.front(), cluster_.hosts[i]) &&
                            platform_.speed_profile(cluster_.hosts[i]) == nullptr &&
                            platform_.state_profile(cluster_.hosts[i]) == nullptr &&
                            has_same_links(platform_, cluster_.loopback, link(i, "_loopback")) &&
                            has_same_links(platform_, cluster_.limiter, link(i, "_limiter")) &&
                            has_same_links(platform_, cable, link(i, cluster_.is_duplex ? "_UP" : "")) &&
                            (!cluster_.is_duplex || has_same_links(platform_, cable, link(i, "_DOWN")));
      if (!is_equal) return false;
    }
    return has_same_links(platform_, cluster_.backbone, cluster_.backbone);
  }

  const Platform& platform_;
  FlatCluster cluster_;
};

}  // namespace

std::vector<LinkId> FlatCluster::way_out(const Platform& platform, std::size_t host) const {
  const std::string start = fmt::format("{}_link_{}", name, numbers[host]);
  std::vector<LinkId> links;
  if (limiter) links.push_back(*platform.find_link(start + "_limiter"));
  links.push_back(*platform.find_link(start + (is_duplex ? "_UP" : "")));
  if (backbone) links.push_back(*backbone);
  return links;
}

std::vector<LinkId> FlatCluster::way_in(const Platform& platform, std::size_t host) const {
  const std::string start = fmt::format("{}_link_{}", name, numbers[host]);
  std::vector<LinkId> links;
  if (backbone) links.push_back(*backbone);
  links.push_back(*platform.find_link(start + (is_duplex ? "_DOWN" : "")));
  if (limiter) links.push_back(*platform.find_link(start + "_limiter"));
  return links;
}

std::string FlatCluster::text(const Platform& platform) const {
  const auto policy = [&](LinkId id, const char* shared) {
    return platform.link(id).sharing == LinkSharing::fatpipe ? "FATPIPE" : shared;
  };
  const Link& wire = platform.link(cable);
  std::string text = fmt::format(
      "<cluster id=\"{}\" prefix=\"{}\" suffix=\"{}\" radical=\"{}\" {} bw=\"{}Bps\" lat=\"{}s\" sharing_policy=\"{}\"",
      xml_text(name), xml_text(prefix), xml_text(suffix), radical_of(numbers),
      speed_attributes(platform, hosts.front()), number_text(wire.bytes_per_second), number_text(wire.latency_seconds),
      is_duplex ? "SPLITDUPLEX" : policy(cable, "SHARED"));
  if (backbone)
    text += fmt::format(" bb_bw=\"{}Bps\" bb_lat=\"{}s\" bb_sharing_policy=\"{}\"",
                        number_text(platform.link(*backbone).bytes_per_second),
                        number_text(platform.link(*backbone).latency_seconds), policy(*backbone, "SHARED"));
  if (loopback)
    text += fmt::format(" loopback_bw=\"{}Bps\" loopback_lat=\"{}s\"",
                        number_text(platform.link(*loopback).bytes_per_second),
                        number_text(platform.link(*loopback).latency_seconds));
  if (limiter) text += fmt::format(" limiter_link=\"{}Bps\"", number_text(platform.link(*limiter).bytes_per_second));
  text += fmt::format(" router_id=\"{}\"", xml_text(router));
  const std::string inside = properties_text(platform.properties(hosts.front()));
  return inside.empty() ? text + "/>" : text + ">" + inside + "</cluster>";
}

std::optional<FlatCluster> find_flat_cluster(const Platform& platform, std::span<const HostId> hosts) {
  if (platform.zones()[platform.zone_of(hosts.front()).value].routing != ZoneRouting::star) return std::nullopt;
  return ClusterReader(platform, hosts).read();
}

}  // namespace rehearse::platform
