// SPDX-License-Identifier: MIT
//
// Meters the hosts and links of a run, and divides the energy of hosts among their ranks.
#include <algorithm>
#include <numeric>

#include "app/energy.hpp"

namespace rehearse::app {
namespace {

// The ranks of a host, and their computation.
struct Tenants {
  std::uint32_t ranks = 0;
  double compute_seconds = 0;
};

std::vector<Tenants> tenants_of(const RunResult& result, std::size_t hosts) {
  std::vector<Tenants> tenants(hosts);
  for (const ActorResult& actor : result.actors) {
    Tenants& of_host = tenants[actor.host.value];
    ++of_host.ranks;
    of_host.compute_seconds += actor.compute_seconds;
  }
  return tenants;
}

double share_of(const ActorResult& rank, const Tenants& tenants, const HostEnergyUse& host) {
  const double equal = 1.0 / tenants.ranks;
  const double of_load = tenants.compute_seconds > 0 ? rank.compute_seconds / tenants.compute_seconds : equal;
  return host.idle_joules * equal + (host.joules - host.idle_joules) * of_load;
}

}  // namespace

double EnergyUse::host_joules() const {
  return std::accumulate(hosts.begin(), hosts.end(), 0.0,
                         [](double sum, const HostEnergyUse& host) { return sum + host.joules; });
}

double EnergyUse::link_joules() const {
  return std::accumulate(links.begin(), links.end(), 0.0,
                         [](double sum, const LinkEnergyUse& link) { return sum + link.joules; });
}

double EnergyUse::idle_joules() const {
  return std::accumulate(hosts.begin(), hosts.end(), 0.0,
                         [](double sum, const HostEnergyUse& host) { return sum + host.idle_joules; });
}

EnergyMeter::EnergyMeter(const Platform& platform, std::unique_ptr<HostEnergy> hosts, std::unique_ptr<LinkEnergy> links)
    : platform_(platform), hosts_(std::move(hosts)), links_(std::move(links)) {}

Result<std::unique_ptr<EnergyMeter>> EnergyMeter::start(const Platform& platform, CostModel& costs,
                                                        const std::string& network) {
  auto hosts = HostEnergy::make(platform, costs);
  if (!hosts) return hosts.error();
  auto links = LinkEnergy::make(platform, costs);
  if (!links) return links.error();
  bool has_hosts = false, has_links = false;
  for (std::uint32_t i = 0; i < platform.hosts().size(); ++i)
    has_hosts = has_hosts || hosts.value()->is_metered(HostId{i});
  for (std::uint32_t i = 0; i < platform.links().size(); ++i)
    has_links = has_links || links.value()->is_metered(LinkId{i});
  if (!has_hosts && !has_links)
    return Error{"--energy: no host or link of platform '" + platform.name() +
                 "' has a wattage; accepted: hosts with the property wattage_per_state, or links with wattage_range"};
  if (has_links && network == "ns3")
    return Error{"--energy: network model 'ns3' does not tell the loads of links, and platform '" + platform.name() +
                 "' has links with a wattage; accepted: another --network"};
  return std::unique_ptr<EnergyMeter>(new EnergyMeter(platform, std::move(hosts.value()), std::move(links.value())));
}

EnergyUse EnergyMeter::finish(const RunResult& result) {
  EnergyUse use;
  use.seconds = result.end.seconds();
  const std::vector<Tenants> tenants = tenants_of(result, platform_.hosts().size());
  std::vector<HostEnergyUse> all(platform_.hosts().size());
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    const HostId host{i};
    all[i] = {host, hosts_->joules(host, result.end), hosts_->idle_joules(host, result.end), tenants[i].ranks};
    if (hosts_->is_metered(host)) use.hosts.push_back(all[i]);
  }
  for (std::uint32_t i = 0; i < platform_.links().size(); ++i) {
    const LinkId link{i};
    if (links_->is_metered(link)) use.links.push_back({link, links_->joules(link, result.end)});
  }
  if (use.hosts.empty()) return use;
  for (const ActorResult& actor : result.actors)
    use.ranks.push_back(share_of(actor, tenants[actor.host.value], all[actor.host.value]));
  return use;
}

Json to_json(const EnergyUse& use, const Platform& platform) {
  Json json = {{"joules", use.joules()}, {"idle_joules", use.idle_joules()}, {"watts", use.watts()},
               {"hosts", Json::array()}, {"links", Json::array()},           {"ranks", Json::array()}};
  for (const HostEnergyUse& host : use.hosts)
    json["hosts"].push_back({{"host", platform.host(host.host).name},
                             {"joules", host.joules},
                             {"idle_joules", host.idle_joules},
                             {"ranks", host.ranks}});
  for (const LinkEnergyUse& link : use.links)
    json["links"].push_back({{"link", platform.link(link.link).name}, {"joules", link.joules}});
  for (std::uint32_t rank = 0; rank < use.ranks.size(); ++rank)
    json["ranks"].push_back({{"rank", rank}, {"joules", use.ranks[rank]}});
  return json;
}

}  // namespace rehearse::app
