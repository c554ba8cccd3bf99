// SPDX-License-Identifier: GPL-2.0-only
//
// Hosts with ns-3's IP and TCP, and the routes between them.
//
// Shape:   a host has one virtual device. A packet that it sends enters the first link of its route. A path is two
//          routes, and each has an address of its own: data go to the address of the way there, acknowledgements to
//          that of the way back. So each end uses the other address as its own.
// Threads: none.
#pragma once

#include <ns3/internet-module.h>
#include <ns3/virtual-net-device-module.h>

#include <map>
#include <unordered_map>
#include <unordered_set>

#include "ns3/links.hpp"

namespace rehearse_ns3 {

// The routes of one host: each destination has a source address. Everything that arrives is for the host.
class HostRouting final : public ns3::Ipv4RoutingProtocol {
 public:
  void set_device(const ns3::Ptr<ns3::NetDevice>& device) { device_ = device; }
  void add(ns3::Ipv4Address destination, ns3::Ipv4Address source) { sources_[destination.Get()] = source; }

  ns3::Ptr<ns3::Ipv4Route> RouteOutput(ns3::Ptr<ns3::Packet> packet, const ns3::Ipv4Header& header,
                                       ns3::Ptr<ns3::NetDevice> wanted, ns3::Socket::SocketErrno& error) override;
  bool RouteInput(ns3::Ptr<const ns3::Packet> packet, const ns3::Ipv4Header& header,
                  ns3::Ptr<const ns3::NetDevice> device, UnicastForwardCallback forward,
                  MulticastForwardCallback forward_all, LocalDeliverCallback deliver, ErrorCallback fail) override;
  void NotifyInterfaceUp(std::uint32_t) override {}
  void NotifyInterfaceDown(std::uint32_t) override {}
  void NotifyAddAddress(std::uint32_t, ns3::Ipv4InterfaceAddress) override {}
  void NotifyRemoveAddress(std::uint32_t, ns3::Ipv4InterfaceAddress) override {}
  void SetIpv4(ns3::Ptr<ns3::Ipv4> ipv4) override { ipv4_ = ipv4; }
  void PrintRoutingTable(ns3::Ptr<ns3::OutputStreamWrapper>, ns3::Time::Unit) const override {}

 private:
  void DoDispose() override;

  ns3::Ptr<ns3::Ipv4> ipv4_;
  ns3::Ptr<ns3::NetDevice> device_;
  std::unordered_map<std::uint32_t, ns3::Ipv4Address> sources_;
};

struct Path {
  std::uint32_t source = 0, destination = 0;        // hosts
  ns3::Ipv4Address source_address, target_address;  // of the way back, and of the way there
  std::uint16_t next_port = 1024;
};

inline std::uint64_t port_key(ns3::Ipv4Address address, std::uint16_t port) {
  return std::uint64_t{address.Get()} << 16 | port;
}

class Hosts {
 public:
  Hosts(Links& links, std::uint32_t packet_bytes) : links_(links), packet_bytes_(packet_bytes) {}

  void add_path(const protocol::NewPath& made);
  std::size_t path_count() const { return paths_.size(); }
  Path& path(std::uint32_t number) { return paths_[number]; }
  const ns3::Ptr<ns3::Node>& node(std::uint32_t host) { return hosts_.at(host).node; }

  // Packets to this address and port arrive at their host. Others are ignored.
  void open_port(ns3::Ipv4Address address, std::uint16_t port) { open_.insert(port_key(address, port)); }
  void close_port(ns3::Ipv4Address address, std::uint16_t port) { open_.erase(port_key(address, port)); }
  bool is_open(ns3::Ipv4Address address, std::uint16_t port) const { return open_.count(port_key(address, port)) > 0; }
  // An IP packet that is for this host.
  void deliver(std::uint32_t host, const ns3::Ptr<ns3::Packet>& packet);

 private:
  struct Host {
    ns3::Ptr<ns3::Node> node;
    ns3::Ptr<ns3::VirtualNetDevice> device;
    ns3::Ptr<HostRouting> routing;
  };

  Host& host(std::uint32_t number);
  ns3::Ipv4Address add_route(const std::vector<std::uint32_t>& links, std::uint32_t destination);

  Links& links_;
  std::uint32_t packet_bytes_;
  std::map<std::uint32_t, Host> hosts_;
  std::vector<Path> paths_;
  std::unordered_set<std::uint64_t> open_;
};

// The destination and its port of a packet with IP and TCP headers.
std::pair<ns3::Ipv4Address, std::uint16_t> target_of(const ns3::Ptr<const ns3::Packet>& packet);

}  // namespace rehearse_ns3
