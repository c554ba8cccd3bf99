// SPDX-License-Identifier: MIT
//
// Links and switches: packets from the queue of their host's first link to the end of their path.
//
// Shape:    without back-pressure, a packet's departure is known when it arrives at a queue, so that a hop is one
//           event: the arrival at the end of the link. With back-pressure (lossless.cpp) the end of a transmission is
//           another one. A link with jitter holds each packet back at its end; its later date is another event.
// Switches: the joints of the links of a path. One queue for each outgoing link, first come, first served.
// Hosts:    the senders of a host take turns at its first link; packets in transit go before them.
// Threads:  none.
#pragma once

#include <cstdint>
#include <vector>

#include "simcore/packet/event_calendar.hpp"
#include "simcore/packet/held_packets.hpp"
#include "simcore/packet/link_state.hpp"
#include "simcore/packet/losses.hpp"
#include "simcore/packet/parameters.hpp"
#include "simcore/packet/paths.hpp"

namespace rehearse::packet {

class Endpoints;
class Observer;

inline constexpr std::uint32_t distance_origin = ~0u - 1;  // of a distance of coordinates, which is no link

// The subject of an event is 8 times its link, or its slot of HeldPackets, plus its kind.
enum class LinkEvent : std::uint8_t { arrival, wake, credit, stop, go, release };

class Fabric {
 public:
  Fabric(const Parameters& parameters, Endpoints& ends) : parameters_(parameters), ends_(ends) {}

  struct NewLink {
    std::uint32_t origin = 0;
    double bytes_per_second = 0;
    double latency_seconds = 0;
    bool has_queue = true;  // false: its queue has no bound
    LinkParameters own = {};
  };
  std::uint32_t add(const NewLink& link);
  // For FATPIPE links: a link that only one connection uses. remove() adds its totals to those of its origin.
  // `salt` distinguishes its losses from those of other copies.
  std::uint32_t add_copy(std::uint32_t original, std::uint64_t salt);
  void remove_copy(std::uint32_t copy);

  const LinkState& link(std::uint32_t index) const { return links_[index]; }
  // The link that it is a copy of, or itself.
  std::uint32_t original(std::uint32_t index) const { return links_[index].is_copy ? links_[index].origin : index; }
  // The link of the platform; distance_origin: none.
  std::uint32_t origin(std::uint32_t index) const { return links_[original(index)].origin; }
  std::uint32_t link_count() const { return static_cast<std::uint32_t>(links_.size()); }
  Paths& paths() { return paths_; }
  const Paths& paths() const { return paths_; }

  // Before the first packet.
  void observe(Observer& observer) { observer_ = &observer; }
  void lose_between(PairLosses& losses) { pair_losses_ = &losses; }

  // A sender, which has nothing on offer, can send so many packets over its first link.
  void offer(std::uint32_t link, std::uint32_t sender, std::uint32_t packets, Picoseconds now);

  // A packet from outside, at the queue of the first link of its path. That queue has the room of a switch's: the
  // source does not know when its packets leave.
  void inject(Packet packet, Picoseconds now);

  void set_bandwidth(std::uint32_t link, double bytes_per_second, Picoseconds now);
  void set_latency(std::uint32_t link, double seconds) { links_[link].delay = delay_of(seconds); }
  // A link that goes off loses all packets in it and in its queue.
  void set_on(std::uint32_t link, bool is_on, Picoseconds now);

  Picoseconds next_date() const { return events_.next_date(); }
  const Event& next_event() const { return events_.top(); }
  // Handles the next event.
  void step();

  // ---- for statistics and tests
  std::uint64_t packets_inside() const;  // in queues and on links
  // lossless: bytes that came over the link and wait in the switch behind it.
  std::uint64_t waiting_from(std::uint32_t link) const;
  std::uint64_t hops() const { return hops_; }
  std::uint64_t events() const { return handled_; }
  std::uint32_t next_order() { return order_++; }
  std::uint32_t wire_bytes(const Packet& packet) const {
    return parameters_.overhead() + (packet.flags & (control | empty) ? 0 : packet.length);
  }

 private:
  struct Turn {
    std::uint32_t sender;
    std::uint32_t packets;  // fifo: how many it may send before the next one
  };
  struct Turns {
    Ring<Turn> ring;
    bool is_awaited = false;  // there is a wake event
  };

  static Picoseconds delay_of(double seconds);
  std::uint32_t head_bytes(std::uint32_t bytes) const { return std::min(bytes, parameters_.cut_bytes); }
  void ask(Picoseconds date, std::uint32_t link, LinkEvent kind) {
    events_.push({date, order_++, link * 8 + static_cast<std::uint32_t>(kind)});
  }

  // Reads the link of the next event into the cache while this one is handled.
  void fetch_next() const {
    if (events_.empty() || events_.top().subject % 8 == static_cast<std::uint32_t>(LinkEvent::release)) return;
    const LinkState& next = links_[events_.top().subject / 8];
    __builtin_prefetch(&next);
    __builtin_prefetch(&next.turns);
  }

  void set_losses(LinkState& link, const LinkParameters& own);
  void arrive(const Event& event);
  void pass_on(std::uint32_t index, Packet& packet, std::uint32_t bytes, Picoseconds now);
  void hold_back(std::uint32_t index, Packet& packet, Picoseconds now);
  void release(std::uint32_t slot, const Event& event);
  void enter(std::uint32_t index, Packet& packet, Picoseconds now, Picoseconds tail);
  void settle(LinkState& link, Picoseconds now);
  bool has_room(LinkState& link, Packet& packet, std::uint32_t bytes) const;
  bool is_full(const LinkState& link, std::uint64_t bytes, std::uint32_t packets) const;
  void note_full(LinkState& link, Picoseconds now);
  void stop_full(LinkState& link, Picoseconds now);
  void report_waits(std::uint32_t index, Picoseconds now);
  Picoseconds start_of(const LinkState& link, const Packet& packet) const;
  void put(std::uint32_t index, Packet& packet, Picoseconds start, std::uint32_t bytes);
  bool is_lost(const LinkState& link, std::uint32_t bytes, Picoseconds start) const;
  bool is_lost_between(const Packet& packet, std::uint32_t bytes, Picoseconds start);
  void drop(LinkState& link, const Packet& packet, Picoseconds now);
  void serve_host(std::uint32_t index, Picoseconds now);
  bool take_from_host(LinkState& link, Packet& packet, Picoseconds now);
  void wake(std::uint32_t index, Picoseconds now);

  // lossless.cpp
  void enter_buffer(std::uint32_t index, Packet& packet, Picoseconds now, Picoseconds tail);
  void serve_buffer(std::uint32_t index, Picoseconds now);
  bool may_start(std::uint32_t index, Buffer& buffer, const Packet& packet, Picoseconds now);
  void end_transmission(std::uint32_t index, Picoseconds now);
  void await_end(std::uint32_t index, Buffer& buffer);
  void await_credit(std::uint32_t index, Buffer& buffer);
  void give_back(std::uint32_t came, std::uint32_t bytes, Picoseconds date);
  void release_ingress(std::uint32_t came, std::uint32_t bytes, Picoseconds now);
  void account_ingress(std::uint32_t came, std::uint32_t bytes, Picoseconds now);

  const Parameters& parameters_;
  Endpoints& ends_;
  Observer* observer_ = nullptr;
  PairLosses* pair_losses_ = nullptr;  // null: none
  std::vector<LinkState> links_;
  std::vector<std::vector<LossRule>> loss_rules_;  // by LinkState::rules
  HeldPackets held_;
  std::vector<Turns> turns_;
  std::vector<Buffer> buffers_;
  std::vector<std::uint32_t> free_links_;  // of removed copies
  Paths paths_;
  EventCalendar events_;
  std::uint32_t order_ = 0;
  std::uint64_t hops_ = 0;
  std::uint64_t handled_ = 0;
};

}  // namespace rehearse::packet
