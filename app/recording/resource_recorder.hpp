// SPDX-License-Identifier: MIT
//
// The use of links and hosts: bytes of each link in slices of time, flops of each host.
//
// Slices:   there are at most `slices_max`. When the run exceeds them, each two become one of twice the width. Their
//           sums are exact.
// Protocol: make it before the first start of the model; call finish() once, at the end of the run.
#pragma once

#include <vector>

#include "app/recording.hpp"
#include "simcore/cost_model.hpp"
#include "simcore/energy.hpp"

namespace rehearse::app {

class ResourceRecorder final : public ResourceObserver {
 public:
  static constexpr std::uint32_t slices_max = 512;

  // The platform and the model must outlive it.
  ResourceRecorder(const Platform& platform, CostModel& costs);

  void finish(Recording& recording);

  void on_link_load(LinkId link, double bytes_per_second, TimePoint now) override;
  void on_link_packet(LinkId link, double bytes, TimePoint from, TimePoint until) override;

 private:
  struct State {
    TimePoint since;
    double rate = 0;
    std::vector<double> bytes;  // by slice; empty: never used
  };

  void add_bytes(State& state, TimePoint until);
  void add_rate(State& state, double rate, TimePoint begin, TimePoint until);
  void widen(TimePoint until);

  HostLoadMeter hosts_;
  std::size_t host_count_;
  std::vector<State> links_;
  std::int64_t slice_ = 1000;  // picoseconds
};

}  // namespace rehearse::app
