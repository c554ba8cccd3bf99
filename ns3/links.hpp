// SPDX-License-Identifier: GPL-2.0-only
//
// Links, their queues, and packets that cross them.
//
// Shape:   a link is a point-to-point channel of ns-3 that is used in one direction. A switch is the joint of two links
//          of a path: it hands a packet that has arrived over one to the next one. The destination address of a packet
//          selects its path, so a switch needs no routing table, and paths can join links in any way.
// Framing: ns-3's links add the 2 bytes of PPP. Further bytes are a gap behind each packet, by which it also arrives
//          later.
// Queues:  the limit is for packets from other links, as those of the host have their room in the socket. A packet that
//          does not fit is dropped.
// Units:   bytes; dates in picoseconds.
// Threads: none.
#pragma once

#include <ns3/core-module.h>
#include <ns3/network-module.h>
#include <ns3/point-to-point-module.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "simcore/ns3/protocol.hpp"

namespace rehearse_ns3 {

namespace protocol = rehearse::ns3;

class Links;

class Link {
 public:
  Link(Links& all, std::uint32_t number, const protocol::NewLink& made);

  // A packet with its IP header. `is_in_transit`: it comes from another link.
  void send(ns3::Ptr<ns3::Packet> packet, bool is_in_transit);
  void change(const protocol::ChangeLink& change);
  const protocol::LinkTotals& totals() const { return totals_; }

 private:
  bool receive(ns3::Ptr<ns3::NetDevice> device, ns3::Ptr<const ns3::Packet> packet, std::uint16_t protocol,
               const ns3::Address& from);
  void mark(const ns3::Ptr<ns3::Packet>& packet);
  void lose(const ns3::Ptr<ns3::Packet>& packet);
  void lose_on_the_way(ns3::Ptr<const ns3::Packet> packet);
  void set_timing(double bytes_per_second, std::int64_t latency);
  void set_losses(double packet_loss, double bit_error);
  std::uint64_t waiting_bytes() const;  // without the packet that is being sent
  bool has_room(std::uint32_t bytes) const;

  Links& all_;
  std::uint32_t number_;
  protocol::NewLink made_;
  bool is_on_ = true;
  ns3::Ptr<ns3::PointToPointNetDevice> transmitter_, receiver_;
  ns3::Ptr<ns3::PointToPointChannel> channel_;
  ns3::Ptr<ns3::Queue<ns3::Packet>> queue_;
  protocol::LinkTotals totals_;
};

class Links {
 public:
  using Handler = std::function<void(ns3::Ptr<ns3::Packet>)>;

  // `on_drop` gets each packet that a queue or a link loses.
  Links(std::uint32_t framing_bytes, std::int64_t switch_delay, Handler on_drop);

  void add(const protocol::NewLink& made);
  std::size_t count() const { return links_.size(); }
  Link& operator[](std::uint32_t number) { return *links_[number]; }
  // Packets to address_of(route) cross these links, and go to `arrive` behind the last one. No link is there twice.
  void add_route(const std::vector<std::uint32_t>& links, Handler arrive);
  std::size_t route_count() const { return routes_.size(); }
  // From a host into the first link of its route.
  void enter(ns3::Ptr<ns3::Packet> packet);

 private:
  friend class Link;

  struct Route {
    std::vector<std::uint32_t> links;
    Handler arrive;
  };

  Route& route_of(const ns3::Ptr<const ns3::Packet>& packet);
  void leave(std::uint32_t link, ns3::Ptr<ns3::Packet> packet);

  std::uint32_t framing_;
  std::int64_t switch_delay_;
  Handler on_drop_;
  ns3::Ptr<ns3::Node> fabric_;  // the owner of all devices
  std::vector<std::unique_ptr<Link>> links_;
  std::vector<Route> routes_;  // by number
};

// The addresses of routes: 10.0.0.0 and the number of the route from 1 on.
ns3::Ipv4Address address_of(std::uint32_t route);

inline constexpr std::uint32_t ppp_bytes = 2;
inline constexpr std::uint16_t ipv4 = 0x0800;  // the number of the protocol in frames

}  // namespace rehearse_ns3
