// SPDX-License-Identifier: MIT
//
// Transfers as flows that share links, computations as flows that share cores.
//
// Model:  a transfer of s bytes over links l of bandwidth B and latency L: after (sum L) * f_latency(s)
//         it flows at f_bandwidth(s) * x, where x is its fair share. x <= B on every link and
//         x <= window / (2 sum L). A shared link carries x for every crossing, plus cross_traffic * x
//         for every crossing by the reverse route. Weight: NetworkConstants. A fatpipe link limits
//         each flow for itself. A computation has at most one core's speed.
// Source: Velho, Schnorr, Casanova, Legrand, On the validity of flow-level TCP network models for grid
//         and cloud simulations, TOMACS 2013. Departures from SimGrid: flows on fatpipe links do not
//         disturb each other; without weight_bytes all flows weigh the same; a flow without latency
//         weighs as its bandwidth says.
// Errors: see cost_model.hpp.
#pragma once

#include <unordered_map>

#include "simcore/cost_model.hpp"
#include "simcore/network/network_constants.hpp"
#include "simcore/sharing/fluid.hpp"

namespace rehearse::network {

class FluidCostModel final : public CostModel {
 public:
  FluidCostModel(const Platform& platform, const NetworkConstants& constants);

  std::optional<ActivityId> start_transfer(HostId source, HostId destination, std::uint64_t bytes,
                                           TimePoint now) override;
  ActivityId start_compute(HostId host, double flops, TimePoint now) override;
  std::optional<Duration> latency(HostId source, HostId destination) override;
  TimePoint next_date() override { return fluid_.next_date(); }
  bool is_busy() const override { return fluid_.is_busy(); }
  void advance(TimePoint now, std::vector<ActivityId>& ended) override;

 private:
  // What all transfers between two hosts have in common.
  struct Path {
    bool exists = false;
    double latency_seconds = 0;
    double weight = 1;
    double bound = 0;
    std::vector<sharing::Use> uses;
  };

  const Path& path(HostId source, HostId destination);
  Path make_path(HostId source, HostId destination) const;

  const Platform& platform_;
  NetworkConstants constants_;
  sharing::Fluid fluid_;
  std::vector<sharing::ResourceIndex> link_resources_;  // by link; fatpipes have none
  std::vector<sharing::Use> host_uses_;                 // by host
  std::unordered_map<std::uint64_t, Path> paths_;
  std::vector<std::uint32_t> ended_;
};

}  // namespace rehearse::network
