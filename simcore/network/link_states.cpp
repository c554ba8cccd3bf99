// SPDX-License-Identifier: MIT
//
// Models links as resources of the fluid.
#include "simcore/network/link_states.hpp"

#include "simcore/network/library_parameters.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::network {

LinkStates::LinkStates(const Platform& platform, cost::Resources& resources, const NetworkParameters& parameters)
    : platform_(platform),
      resources_(resources),
      contention_(parameters.contention),
      has_quirks_(parameters.has_quirks),
      changes_(parameters.changes) {
  states_.reserve(platform.links().size());
  for (const Link& link : platform.links())
    states_.push_back(
        {changed_bandwidth(link.bytes_per_second), changed_latency(link.latency_seconds), LinkState::none, 0, true});
}

sharing::ResourceIndex LinkStates::resource(LinkId link) {
  LinkState& state = states_[link.value];
  if (state.resource != LinkState::none) return state.resource;
  const cost::Owner owner{cost::OwnerKind::link, link.value};
  const LinkSharing sharing = platform_.link(link).sharing;
  if (is_meter(link)) return state.resource = resources_.add_meter(owner);
  if (sharing == LinkSharing::wifi) {
    state.resource = resources_.add(owner, 1);
    // Every flow on the medium counts, although its coefficient is far below 1.
    if (!resources_.activities().is_parallel()) resources_.fluid().set_concurrency_limit(state.resource, ~0u, 0);
  } else {
    state.resource =
        resources_.add(owner, state.bytes_per_second,
                       sharing == LinkSharing::fatpipe ? sharing::Division::fatpipe : sharing::Division::shared);
    if (sharing == LinkSharing::shared && !contention_.empty())
      resources_.fluid().set_capacity_function(state.resource, [this](double capacity, std::uint32_t flows) {
        return capacity * contention_factor(contention_, flows);
      });
  }
  const std::uint32_t limit = platform_.concurrency_limit(link);
  if (limit != 0 && changes_.has_contention) set_limit(link, limit);
  return state.resource;
}

void LinkStates::set_limit(LinkId link, std::uint32_t flows) {
  const bool is_wifi = platform_.link(link).sharing == LinkSharing::wifi;
  const sharing::ResourceIndex resource = this->resource(link);
  states_[link.value].limit = flows;
  resources_.fluid().set_concurrency_limit(resource, flows == 0 ? ~0u : flows, is_wifi ? 0 : 1);
}

double LinkStates::wifi_rate(LinkId link, HostId station) const {
  const auto level = wifi_levels_.find({link, station});
  return changed_bandwidth(platform_.wifi_rates(link)[level == wifi_levels_.end() ? 0 : level->second]);
}

void LinkStates::set_wifi_level(LinkId link, HostId station, std::uint32_t level) {
  REHEARSE_ASSERT(level < platform_.wifi_rates(link).size(), "the wifi link has this level");
  wifi_levels_[{link, station}] = level;
}

}  // namespace rehearse::network
