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

  std::optional<ActivityId> start(const Transfer& transfer, TimePoint now) override;
  std::optional<ActivityId> start(const ParallelTask& task, TimePoint now) override;
  ActivityId start(const Computation& computation, TimePoint now) override;
  ActivityId start(const DiskAccess& access, TimePoint now) override;
  void cancel(ActivityId activity, TimePoint now) override;
  void suspend(ActivityId activity, TimePoint now) override;
  void resume(ActivityId activity, TimePoint now) override;
  void set_rate(ActivityId activity, double rate, TimePoint now) override;
  void set_priority(ActivityId activity, double priority, TimePoint now) override;
  void set_host(ActivityId computation, HostId host, TimePoint now) override;
  double remaining(ActivityId activity, TimePoint now) override;
  double rate(ActivityId activity, TimePoint now) override;
  Limit limit(ActivityId activity, TimePoint now) override;
  void set_host_on(HostId host, bool is_on, TimePoint now) override;
  bool is_host_on(HostId host, TimePoint now) override;
  void set_pstate(HostId host, std::uint32_t pstate, TimePoint now) override;
  std::uint32_t pstate(HostId host) const override;
  double host_speed(HostId host, TimePoint now) override;
  double available_flops(HostId host, TimePoint from, TimePoint to) override;
  void set_host_capacity_function(HostId host, CapacityFunction function, TimePoint now) override;
  void set_link_on(LinkId link, bool is_on, TimePoint now) override;
  bool is_link_on(LinkId link, TimePoint now) override;
  void set_bandwidth(LinkId link, double bytes_per_second, TimePoint now) override;
  double bandwidth(LinkId link, TimePoint now) override;
  void set_latency(LinkId link, double seconds, TimePoint now) override;
  double link_latency(LinkId link, TimePoint now) override;
  void set_concurrency_limit(LinkId link, std::uint32_t flows, TimePoint now) override;
  void set_link_capacity_function(LinkId link, CapacityFunction function, TimePoint now) override;
  void set_wifi_rate(LinkId link, HostId station, std::uint32_t level, TimePoint now) override;
  void set_disk_bandwidths(DiskId disk, double read, double write, double total,
                           TimePoint now) override;
  std::optional<Duration> latency(HostId source, HostId destination, TimePoint now) override;
  void observe(ResourceObserver& observer, ObserverNeeds needs) override;
  TimePoint next_date() override { return fluid_.next_date(); }
  bool is_busy() const override { return fluid_.is_busy(); }
  void advance(TimePoint now, std::vector<Ended>& ended) override;

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
