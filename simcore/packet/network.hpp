// SPDX-License-Identifier: MIT
//
// A network of packets in simulated time: links, connections, and their events in order.
//
// Usage:   add links to fabric(), open connections and send messages; then run_until(), which stops after the date at
//          which a message is complete.
// Stop:    run_until() ends early after a request; the network is then of no further use.
// Order:   events at one date happen in the order in which they were caused.
// Threads: none.
#pragma once

#include "simcore/packet/endpoints.hpp"
#include "simcore/packet/fabric.hpp"
#include "simcore/packet/parameters.hpp"
#include "simcore/stop_token.hpp"

namespace rehearse::packet {

class Network {
 public:
  explicit Network(const Parameters& parameters)
      : parameters_(parameters), fabric_(parameters_, ends_), ends_(parameters_, fabric_) {}
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  const Parameters& parameters() const { return parameters_; }
  Fabric& fabric() { return fabric_; }
  const Fabric& fabric() const { return fabric_; }
  Endpoints& ends() { return ends_; }
  const Endpoints& ends() const { return ends_; }

  Picoseconds next_date() const { return std::min(fabric_.next_date(), ends_.timers().next_date()); }

  void stop_when(StopToken stop) { stop_ = std::move(stop); }

  // Handles all events up to the limit, or up to the first date with a completion. Returns that date; no_date: none.
  Picoseconds run_until(Picoseconds limit) {
    constexpr std::uint32_t events_between_looks = 4096;
    Picoseconds date;
    while ((date = next_date()) <= limit && date != no_date) {
      if (++looks_ % events_between_looks == 0 && stop_.stop_requested()) break;
      const EventHeap& timers = ends_.timers();
      if (timers.next_date() < fabric_.next_date() ||
          (timers.next_date() == fabric_.next_date() && timers.top().is_before(fabric_.next_event())))
        ends_.step();
      else fabric_.step();
      if (!ends_.completions().empty()) limit = date;
    }
    return ends_.completions().empty() ? no_date : limit;
  }

 private:
  Parameters parameters_;
  Fabric fabric_;
  Endpoints ends_;
  StopToken stop_;
  std::uint32_t looks_ = 0;
};

}  // namespace rehearse::packet
