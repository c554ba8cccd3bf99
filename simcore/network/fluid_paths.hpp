// SPDX-License-Identifier: MIT
//
// Transfers as flows that share the links of their routes: lv08, smpi, cm02, raw.
//
// Model:  a transfer of s bytes over links l of bandwidth B and latency L: after (sum L) * f_latency(s) it flows at
//         f_bandwidth(s) * x, where x is its fair share. x <= window / (2 sum L). A shared link carries x for every
//         crossing, plus cross_traffic * x for every crossing by the reverse route. Weight: see NetworkParameters. A
//         fatpipe link limits each flow separately. A byte of a wifi station takes 1/rate of the medium's time. If a
//         route begins with a wifi link, its source is the station; if it ends with one, its destination is.
// Source: Velho, Schnorr, Casanova, Legrand, On the validity of flow-level TCP network models for grid
//         and cloud simulations, TOMACS 2013. Departures from SimGrid: flows on fatpipe links do not
//         disturb each other; without weight_bytes all flows weigh the same; the weight of a flow
//         without latency depends on its bandwidth. With quirks: no departures.
// Threads: none.
#pragma once

#include "simcore/network/link_states.hpp"
#include "simcore/network/network_parameters.hpp"
#include "simcore/network/path.hpp"

namespace rehearse::network {

class FluidPaths final : public PathMaker {
 public:
  FluidPaths(const Platform& platform, LinkStates& links, const NetworkParameters& parameters)
      : platform_(platform), links_(links), parameters_(parameters) {}

  void find(Path& path) override;
  void refresh(Path& path) override;

 private:
  void note_profiles(Path& path, const std::vector<LinkId>& links) const;
  void cross(Path& path, LinkId link, double coefficient);
  double coefficient_of(const std::vector<LinkId>& links, std::size_t at, HostId source, HostId destination) const;

  const Platform& platform_;
  LinkStates& links_;
  const NetworkParameters& parameters_;
  Route route_;
};

}  // namespace rehearse::network
