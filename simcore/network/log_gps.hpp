// SPDX-License-Identifier: MIT
//
// The times at which messages start and arrive, from overheads and gaps.
//
// Model:  a message of k bytes takes the overhead o at its sender, then leaves through the sender's port, one byte
// every
//         G. Its first byte arrives L later at the receiver's port, which handles one message at a time. The message is
//         complete o after its last byte. Messages at one port begin at least g apart. A message of more than S bytes
//         begins with a request and an answer: 2 (L + 2 o).
//         Alone: o + L + (k-1) G + o.
// Source: Ino, Fujimoto, Hagihara, LogGPS: a parallel computational model for synchronization analysis,
//         PPoPP 2001. Alexandrov et al., LogGP, SPAA 1995. Departure: ports are queues here, first come,
//         first served, so that several senders to one receiver wait for each other.
// Threads: none.
#pragma once

#include <vector>

#include "simcore/model_options.hpp"
#include "simcore/time.hpp"

namespace rehearse::network {

class LogGps {
 public:
  // Without contention, a message never waits for a port.
  LogGps(const LogGpsOptions& options, bool has_contention, std::size_t hosts)
      : options_(options), has_contention_(has_contention), hosts_(hosts) {}

  // The date at which the first byte is at the receiver's port.
  TimePoint send(HostId source, double bytes, double latency, double bandwidth, TimePoint now);
  // The first byte is at the receiver's port. Returns the date at which the receiver has the whole message.
  TimePoint receive(HostId destination, double bytes, double bandwidth, TimePoint now);

 private:
  struct Ports {
    TimePoint out;  // free from this date on
    TimePoint in;
  };
  Ports& ports(HostId host);
  Duration time_of(double bytes, double bandwidth) const;

  LogGpsOptions options_;
  bool has_contention_;
  std::size_t hosts_;
  std::vector<Ports> ports_;  // by host; grows at the first message
};

}  // namespace rehearse::network
