// SPDX-License-Identifier: GPL-2.0-only
//
// See hosts.hpp.
#include "ns3/hosts.hpp"

namespace rehearse_ns3 {

using namespace ns3;

// ---- routes of a host

Ptr<Ipv4Route> HostRouting::RouteOutput(Ptr<Packet>, const Ipv4Header& header, Ptr<NetDevice>,
                                        Socket::SocketErrno& error) {
  const auto found = sources_.find(header.GetDestination().Get());
  if (found == sources_.end()) {
    error = Socket::ERROR_NOROUTETOHOST;
    return nullptr;
  }
  Ptr<Ipv4Route> route = Create<Ipv4Route>();
  route->SetDestination(header.GetDestination());
  route->SetSource(found->second);
  route->SetGateway(Ipv4Address::GetAny());
  route->SetOutputDevice(device_);
  error = Socket::ERROR_NOTERROR;
  return route;
}

bool HostRouting::RouteInput(Ptr<const Packet> packet, const Ipv4Header& header, Ptr<const NetDevice> device,
                             UnicastForwardCallback, MulticastForwardCallback, LocalDeliverCallback deliver,
                             ErrorCallback) {
  deliver(packet, header, static_cast<std::uint32_t>(ipv4_->GetInterfaceForDevice(device)));
  return true;
}

void HostRouting::DoDispose() {
  ipv4_ = nullptr;
  device_ = nullptr;
  Ipv4RoutingProtocol::DoDispose();
}

// ---- hosts

Hosts::Host& Hosts::host(std::uint32_t number) {
  Host& made = hosts_[number];
  if (made.node) return made;
  made.node = CreateObject<Node>();
  InternetStackHelper stack;
  stack.SetIpv6StackInstall(false);
  stack.Install(made.node);
  made.device = CreateObject<VirtualNetDevice>();
  made.device->SetAddress(Mac48Address::Allocate());
  made.device->SetNeedsArp(false);
  made.device->SetIsPointToPoint(true);
  made.device->SetMtu(static_cast<std::uint16_t>(packet_bytes_));
  made.device->SetSendCallback(Callback<bool, Ptr<Packet>, const Address&, const Address&, std::uint16_t>(
      [this](Ptr<Packet> packet, const Address&, const Address&, std::uint16_t) {
        links_.enter(packet);
        return true;
      }));
  made.node->AddDevice(made.device);
  made.routing = CreateObject<HostRouting>();
  made.routing->set_device(made.device);
  const Ptr<Ipv4> ip = made.node->GetObject<Ipv4>();
  ip->SetRoutingProtocol(made.routing);
  ip->SetUp(ip->AddInterface(made.device));
  made.node->Initialize();
  return made;
}

void Hosts::deliver(std::uint32_t number, const Ptr<Packet>& packet) {
  const Ptr<VirtualNetDevice>& device = hosts_.at(number).device;
  device->Receive(packet, ipv4, device->GetAddress(), device->GetAddress(), NetDevice::PACKET_HOST);
}

Ipv4Address Hosts::add_route(const std::vector<std::uint32_t>& links, std::uint32_t destination) {
  const Ipv4Address address = address_of(static_cast<std::uint32_t>(links_.route_count()));
  links_.add_route(links, [this, destination](Ptr<Packet> packet) {
    const auto [target, port] = target_of(packet);
    if (is_open(target, port)) deliver(destination, packet);
  });
  return address;
}

void Hosts::add_path(const protocol::NewPath& made) {
  Path path{made.source, made.destination, {}, {}};
  path.target_address = add_route(made.forward, made.destination);
  path.source_address = add_route(made.back, made.source);
  host(made.source).routing->add(path.target_address, path.source_address);
  host(made.destination).routing->add(path.source_address, path.target_address);
  paths_.push_back(path);
}

std::pair<Ipv4Address, std::uint16_t> target_of(const Ptr<const Packet>& packet) {
  Ptr<Packet> copy = packet->Copy();
  Ipv4Header ip;
  TcpHeader tcp;
  copy->RemoveHeader(ip);
  copy->PeekHeader(tcp);
  return {ip.GetDestination(), tcp.GetDestinationPort()};
}

}  // namespace rehearse_ns3
