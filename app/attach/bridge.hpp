// SPDX-License-Identifier: MIT
//
// Frames of real programs through the packet model: their bytes wait here, by number, while their lengths are on the
// way there.
//
// Shape:   each pair of hosts has a path; where the platform has several equal routes, up to 64, by connection.
// Units:   bytes of frames without checksum and preamble; simulated dates.
// Errors:  frames to no host that takes part, and frames that are not IPv4, are counted and not forwarded.
// Threads: none.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "app/attach/frame.hpp"
#include "simcore/cost_model.hpp"
#include "simcore/packet_relay.hpp"

namespace rehearse::app {

struct FrameCounts {
  std::uint64_t entered = 0;
  std::uint64_t delivered = 0;
  std::uint64_t dropped = 0;      // in the model: queues, losses, links that are off
  std::uint64_t marked = 0;       // ECN
  std::uint64_t ignored = 0;      // no IPv4, or to no host that takes part
  std::uint64_t unreachable = 0;  // no route on the platform
};

class Bridge {
 public:
  // `hosts` take part. Requires costs.relay() != nullptr; both must outlive this.
  Bridge(CostModel& costs, std::span<const HostId> hosts);

  // The frame comes from the host with this index at this date. Requires that the bridge was advanced to it.
  void enter(std::uint32_t host, std::span<const std::uint8_t> frame, TimePoint now);
  // The date of the next event of the network; CostModel::never: none.
  TimePoint next_date() { return costs_.next_date(); }
  // Handles the events up to `now`, and delivers frames in the order of their dates of arrival.
  using Deliver = std::function<void(std::uint32_t host, std::span<const std::uint8_t> frame, TimePoint date)>;
  void advance(TimePoint now, const Deliver& deliver);

  const FrameCounts& counts() const { return counts_; }
  std::uint64_t inside() const { return waiting_.size() - free_.size(); }

 private:
  struct Frame {
    std::vector<std::uint8_t> bytes;
    std::uint32_t destination = 0;
  };

  std::optional<std::uint32_t> path(std::uint32_t from, std::uint32_t to, std::uint64_t flow, TimePoint now);
  std::uint32_t keep(std::span<const std::uint8_t> bytes, std::uint32_t destination);

  CostModel& costs_;
  PacketRelay& relay_;
  std::vector<HostId> hosts_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>, std::optional<std::uint32_t>> paths_;
  std::vector<Frame> waiting_;  // by number
  std::vector<std::uint32_t> free_;
  FrameCounts counts_;
  std::vector<Ended> ended_;
};

}  // namespace rehearse::app
