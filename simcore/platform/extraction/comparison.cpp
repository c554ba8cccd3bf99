// SPDX-License-Identifier: MIT
//
// Walks through all pairs of hosts.
#include "simcore/platform/extraction/comparison.hpp"

#include <algorithm>

#include "simcore/platform/extraction/resource_text.hpp"

namespace rehearse::platform {

namespace {

std::string profile_key(const Profile* profile) { return profile == nullptr ? "" : profile_text(*profile); }

class PlatformComparison {
 public:
  PlatformComparison(const Platform& whole, std::span<const HostId> hosts, const Platform& extracted)
      : whole_(whole), extracted_(extracted), hosts_(hosts), counterparts_(whole.links().size(), none) {}

  std::optional<std::string> run() {
    if (extracted_.hosts().size() != hosts_.size()) return "the number of hosts";
    for (const HostId host : hosts_) {
      const auto other = extracted_.find_host(whole_.host(host).name);
      if (!other || !has_same_attributes(host, *other)) return "host '" + whole_.host(host).name + "'";
      others_.push_back(*other);
    }
    for (std::size_t a = 0; a < hosts_.size(); ++a)
      for (std::size_t b = 0; b < hosts_.size(); ++b)
        if (!has_same_route(a, b))
          return "the route from '" + whole_.host(hosts_[a]).name + "' to '" + whole_.host(hosts_[b]).name + "'";
    return std::nullopt;
  }

 private:
  static constexpr std::uint32_t none = ~0u;

  static Properties properties_of(const Properties* properties) {
    return properties == nullptr ? Properties() : *properties;
  }

  bool has_same_disks(HostId a, HostId b) const {
    return std::ranges::equal(whole_.disks_of(a), extracted_.disks_of(b), [&](DiskId x, DiskId y) {
      const Disk &one = whole_.disk(x), &two = extracted_.disk(y);
      return one.name == two.name && one.read_bytes_per_second == two.read_bytes_per_second &&
             one.write_bytes_per_second == two.write_bytes_per_second &&
             one.total_bytes_per_second == two.total_bytes_per_second &&
             properties_of(whole_.properties(x)) == properties_of(extracted_.properties(y));
    });
  }

  bool has_same_attributes(HostId a, HostId b) const {
    return std::ranges::equal(whole_.speeds(a), extracted_.speeds(b)) &&
           whole_.initial_pstate(a) == extracted_.initial_pstate(b) &&
           whole_.host(a).cores == extracted_.host(b).cores && has_same_disks(a, b) &&
           properties_of(whole_.properties(a)) == properties_of(extracted_.properties(b)) &&
           profile_key(whole_.speed_profile(a)) == profile_key(extracted_.speed_profile(b)) &&
           profile_key(whole_.state_profile(a)) == profile_key(extracted_.state_profile(b)) &&
           whole_.wifi_link(a).has_value() == extracted_.wifi_link(b).has_value();
  }

  bool has_same_link(LinkId a, LinkId b) {
    std::uint32_t& counterpart = counterparts_[a.value];
    if (counterpart != none) return counterpart == b.value;
    counterpart = b.value;
    const Link &one = whole_.link(a), &two = extracted_.link(b);
    // Names are unique on both sides, so different links stay different.
    return one.name == two.name && one.bytes_per_second == two.bytes_per_second &&
           one.latency_seconds == two.latency_seconds && one.sharing == two.sharing &&
           whole_.concurrency_limit(a) == extracted_.concurrency_limit(b) &&
           properties_of(whole_.properties(a)) == properties_of(extracted_.properties(b)) &&
           profile_key(whole_.bandwidth_profile(a)) == profile_key(extracted_.bandwidth_profile(b)) &&
           profile_key(whole_.latency_profile(a)) == profile_key(extracted_.latency_profile(b)) &&
           profile_key(whole_.state_profile(a)) == profile_key(extracted_.state_profile(b));
  }

  bool has_same_route(std::size_t a, std::size_t b) {
    const bool is_there = whole_.find_route(hosts_[a], hosts_[b], route_);
    if (is_there != extracted_.find_route(others_[a], others_[b], other_)) return false;
    if (!is_there) return true;
    return route_.latency_seconds == other_.latency_seconds &&
           std::ranges::equal(route_.links, other_.links, [&](LinkId x, LinkId y) { return has_same_link(x, y); });
  }

  const Platform& whole_;
  const Platform& extracted_;
  std::span<const HostId> hosts_;
  std::vector<HostId> others_;
  std::vector<std::uint32_t> counterparts_;  // by link of the whole
  Route route_, other_;
};

}  // namespace

std::optional<std::string> first_difference(const Platform& whole, std::span<const HostId> hosts,
                                            const Platform& extracted) {
  return PlatformComparison(whole, hosts, extracted).run();
}

}  // namespace rehearse::platform
