// SPDX-License-Identifier: MIT
//
// From the platform's links and routes to those of `rehearse-ns3`.
//
// Shape: a link is made when the first path needs it. FATPIPE links, and all links of a network without contention, are
//        made for each connection. A distance of coordinates is a last link whose transmissions take no time.
// Units: bytes, seconds; picoseconds in messages.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "simcore/cost_model.hpp"
#include "simcore/ns3/simulator_process.hpp"
#include "simcore/packet/parameters.hpp"

namespace rehearse::ns3 {

class SimulatedPaths {
 public:
  SimulatedPaths(const Platform& platform, SimulatorProcess& process, const packet::Parameters& parameters,
                 std::vector<packet::LinkParameters> own, const NetworkChanges& changes)
      : platform_(platform), process_(process), parameters_(parameters), own_(std::move(own)), changes_(changes) {}

  // The path between two hosts for the connection with this number. No value: there is no route, or it crosses no link.
  std::optional<std::uint32_t> find_path(HostId source, HostId destination, std::uint64_t connection, CostModel& states,
                                         TimePoint now);
  // The links of the platform there and back. Valid until the next path.
  const std::vector<LinkId>& links_of(std::uint32_t path) const { return paths_[path]; }
  // A link that the last path crosses twice, which `rehearse-ns3` cannot.
  std::optional<LinkId> repeated() const { return repeated_; }
  // Sends the present state of the link.
  void change(LinkId link, CostModel& states, TimePoint now);
  // By link of `rehearse-ns3`; no value: a distance.
  std::optional<LinkId> platform_link(std::size_t link) const { return platform_links_[link]; }
  bool find_route(HostId source, HostId destination, std::uint64_t choice);
  const Route& route() const { return route_; }  // that find_route() has found
  const NetworkChanges& changes() const { return changes_; }

 private:
  using Links = std::vector<std::uint32_t>;

  Links links_of_route(bool& is_private, CostModel& states, TimePoint now);
  std::uint32_t add(std::optional<LinkId> link, double latency_seconds, CostModel& states, TimePoint now);
  std::optional<LinkId> find_repeated() const;
  bool is_private(LinkId link) const {
    return !changes_.has_contention || platform_.link(link).sharing == LinkSharing::fatpipe;
  }
  double bandwidth(LinkId link, CostModel& states, TimePoint now) const;

  const Platform& platform_;
  SimulatorProcess& process_;
  const packet::Parameters& parameters_;
  std::vector<packet::LinkParameters> own_;  // by link of the platform; empty: none has any
  NetworkChanges changes_;
  std::vector<std::vector<std::uint32_t>> copies_;  // by link of the platform: links of the simulator
  std::vector<std::optional<LinkId>> platform_links_;
  std::vector<std::vector<LinkId>> paths_;
  std::map<std::pair<Links, Links>, std::uint32_t> shared_;  // paths without private links
  std::optional<LinkId> repeated_;
  Route route_;
};

}  // namespace rehearse::ns3
