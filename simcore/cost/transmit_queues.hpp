// SPDX-License-Identifier: MIT
//
// The transmit queues of hosts: short messages leave a host one after the other, in the order of their starts.
//
// Why:     a transport gives a short message to the network card as a whole, and the card sends in the order of its
//          queue. So a host that sends several short messages at once delivers the first one early, while flows that
//          share the link fairly would all end late. Only a queue of the host tells this; the sums are the same.
// Model:   a message occupies the first link of its path for its bytes by the link's bandwidth. Large messages are not
// in
//          the queue: a transport sends them in windows, and flows share the link.
// Source:  segmentation offload of TCP, which gives the card up to 64 KiB at once (Linux,
//          Documentation/networking/segmentation-offloads.rst).
// Threads: none.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "simcore/ids.hpp"
#include "simcore/time.hpp"

namespace rehearse::cost {

class TransmitQueues {
 public:
  // A message enters the queue of the host, and takes so long to leave it. Returns the time until its turn.
  Duration enter(HostId host, Duration transmission, TimePoint now) {
    if (host.value >= free_from_.size()) free_from_.resize(host.value + 1);
    TimePoint& free_from = free_from_[host.value];
    const TimePoint begin = std::max(now, free_from);
    free_from = begin + transmission;
    return begin - now;
  }

 private:
  std::vector<TimePoint> free_from_;  // by host
};

}  // namespace rehearse::cost
