// SPDX-License-Identifier: MIT
//
// Receives each packet whose transmission on a link is decided, each message of a connection, and the changes of queues
// and senders. A network without observer pays one or two comparisons for a packet and link.
//
// Units:    picoseconds; bytes of the connection's stream.
// Protocol: on_message() comes before the first packet of the message. A connection whose number is used again begins
//           with a message at 0. Dates of one link do not go back, unless its bandwidth changes while packets wait.
#pragma once

#include <cstdint>

#include "simcore/packet/packet.hpp"
#include "simcore/transfer.hpp"

namespace rehearse::packet {

class Observer {
 public:
  virtual ~Observer() = default;
  // `start`: of the transmission. A packet that is lost on the link is among them; one that is dropped before is not.
  virtual void on_transmission(std::uint32_t link, const Packet& packet, Picoseconds start) = 0;
  // `bytes`: with the envelope, if `has_envelope`; 0: an empty message.
  virtual void on_message(std::uint32_t connection, std::uint64_t begin, std::uint64_t bytes, bool has_envelope,
                          const Transfer& transfer) = 0;

  // ---- queues
  // A packet waits at the link. Neither `from` nor `until` goes back on one link. A host's own packets do not wait.
  virtual void on_wait(std::uint32_t /*link*/, std::uint32_t /*bytes*/, Picoseconds /*from*/, Picoseconds /*until*/) {}
  // The dates of the packets that wait at the link are void. on_wait() reports those that still wait again.
  virtual void on_requeue(std::uint32_t /*link*/, Picoseconds /*now*/) {}

  // ---- connections
  // The sender's windows or timer may have changed.
  virtual void on_sender(std::uint32_t /*connection*/, Picoseconds /*now*/) {}
  // The timer expired, after it waited this long.
  virtual void on_timeout(std::uint32_t /*connection*/, Picoseconds /*waited*/, Picoseconds /*now*/) {}
  virtual void on_round_trip(std::uint32_t /*connection*/, Picoseconds /*time*/, Picoseconds /*now*/) {}
  // Its number can be used again.
  virtual void on_close(std::uint32_t /*connection*/) {}

  // ---- messages, by the number of their activity, which is used again after the end
  // After on_message(), and after the first packets.
  virtual void on_start(std::uint32_t /*activity*/, std::uint32_t /*connection*/, const Transfer&, Picoseconds) {}
  virtual void on_end(std::uint32_t /*activity*/, bool /*has_failed*/, Picoseconds /*now*/) {}
  virtual void on_cancel(std::uint32_t /*activity*/, Picoseconds /*now*/) {}
};

}  // namespace rehearse::packet
