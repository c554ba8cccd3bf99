// SPDX-License-Identifier: GPL-2.0-only
//
// See links.hpp.
#include "ns3/links.hpp"

#include <ns3/internet-module.h>

#include <algorithm>
#include <cmath>

namespace rehearse_ns3 {

using namespace ns3;

namespace {

constexpr std::uint32_t first_address = 10u << 24;
constexpr double fastest = 1e18;  // bits per second: a packet takes no picosecond

// Loses what either of two models loses.
class TwoLosses final : public ErrorModel {
 public:
  TwoLosses(Ptr<RateErrorModel> packets, Ptr<RateErrorModel> bits) : packets_(packets), bits_(bits) {}

 private:
  bool DoCorrupt(Ptr<Packet> packet) override {
    const bool is_lost = packets_->IsCorrupt(packet);
    return bits_->IsCorrupt(packet) || is_lost;
  }
  void DoReset() override {}

  Ptr<RateErrorModel> packets_, bits_;
};

}  // namespace

Ipv4Address address_of(std::uint32_t route) { return Ipv4Address(first_address + 1 + route); }

// ---- one link

Link::Link(Links& all, std::uint32_t number, const protocol::NewLink& made)
    : all_(all),
      number_(number),
      made_(made),
      transmitter_(CreateObject<PointToPointNetDevice>()),
      receiver_(CreateObject<PointToPointNetDevice>()),
      channel_(CreateObject<PointToPointChannel>()) {
  queue_ = CreateObjectWithAttributes<DropTailQueue<Packet>>("MaxSize", QueueSizeValue(QueueSize("4294967295p")));
  transmitter_->SetQueue(queue_);
  for (const auto& device : {transmitter_, receiver_}) {
    device->SetNode(all_.fabric_);
    device->Attach(channel_);
  }
  receiver_->SetReceiveCallback(MakeCallback(&Link::receive, this));
  receiver_->TraceConnectWithoutContext("PhyRxDrop", MakeCallback(&Link::lose_on_the_way, this));
  set_timing(made.bytes_per_second, made.latency);
  set_losses(made.packet_loss, made.bit_error);
}

void Link::set_timing(double bytes_per_second, std::int64_t latency) {
  const double bits = std::isfinite(bytes_per_second) ? std::min(std::round(8 * bytes_per_second), fastest) : fastest;
  const DataRate rate(static_cast<std::uint64_t>(std::max(bits, 1.0)));
  const Time gap = rate.CalculateBytesTxTime(all_.framing_ - ppp_bytes);
  transmitter_->SetDataRate(rate);
  transmitter_->SetInterframeGap(gap);
  channel_->SetAttribute("Delay", TimeValue(TimeStep(static_cast<std::uint64_t>(latency)) + gap));
}

// The stream of random numbers is that of the link, so other links do not change its losses.
void Link::set_losses(double packet_loss, double bit_error) {
  if (packet_loss == 0 && bit_error == 0) return;
  const auto make = [&](double probability, RateErrorModel::ErrorUnit unit, std::int64_t part) {
    Ptr<RateErrorModel> losses = CreateObject<RateErrorModel>();
    losses->SetUnit(unit);
    losses->SetRate(probability);
    losses->AssignStreams(2 * std::int64_t{number_} + part);
    return losses;
  };
  receiver_->SetReceiveErrorModel(CreateObject<TwoLosses>(make(packet_loss, RateErrorModel::ERROR_UNIT_PACKET, 0),
                                                          make(bit_error, RateErrorModel::ERROR_UNIT_BIT, 1)));
}

void Link::change(const protocol::ChangeLink& change) {
  is_on_ = change.is_on;
  set_timing(change.bytes_per_second, change.latency);
}

std::uint64_t Link::waiting_bytes() const {
  return queue_->GetNBytes() + std::uint64_t{queue_->GetNPackets()} * (all_.framing_ - ppp_bytes);
}

bool Link::has_room(std::uint32_t bytes) const {
  if (made_.queue_bytes > 0 && waiting_bytes() + bytes + all_.framing_ > made_.queue_bytes) return false;
  return made_.queue_packets == 0 || queue_->GetNPackets() < made_.queue_packets;
}

void Link::send(Ptr<Packet> packet, bool is_in_transit) {
  if (!is_on_) return lose(packet);
  if (is_in_transit && !has_room(packet->GetSize())) {
    ++totals_.drops;
    all_.on_drop_(packet);
    return;
  }
  if (made_.ecn_bytes > 0 && waiting_bytes() > made_.ecn_bytes) mark(packet);
  ++totals_.packets;
  totals_.bytes += packet->GetSize() + all_.framing_;
  transmitter_->Send(packet, transmitter_->GetBroadcast(), ipv4);
  if (is_in_transit) totals_.longest_queue_bytes = std::max(totals_.longest_queue_bytes, waiting_bytes());
}

void Link::mark(const Ptr<Packet>& packet) {
  Ipv4Header header;
  packet->RemoveHeader(header);
  if (header.GetEcn() == Ipv4Header::ECN_ECT0 || header.GetEcn() == Ipv4Header::ECN_ECT1) {
    header.SetEcn(Ipv4Header::ECN_CE);
    ++totals_.marks;
  }
  packet->AddHeader(header);
}

// The packet of a loss on the way has the header of PPP.
void Link::lose_on_the_way(Ptr<const Packet> packet) {
  Ptr<Packet> inner = packet->Copy();
  PppHeader header;
  inner->RemoveHeader(header);
  lose(inner);
}

void Link::lose(const Ptr<Packet>& packet) {
  ++totals_.losses;
  all_.on_drop_(packet);
}

bool Link::receive(Ptr<NetDevice>, Ptr<const Packet> packet, std::uint16_t, const Address&) {
  Ptr<Packet> arrived = packet->Copy();
  if (is_on_) all_.leave(number_, arrived);
  else lose(arrived);
  return true;
}

// ---- all links

Links::Links(std::uint32_t framing_bytes, std::int64_t switch_delay, Handler on_drop)
    : framing_(framing_bytes),
      switch_delay_(switch_delay),
      on_drop_(std::move(on_drop)),
      fabric_(CreateObject<Node>()) {}

void Links::add(const protocol::NewLink& made) {
  links_.push_back(std::make_unique<Link>(*this, static_cast<std::uint32_t>(links_.size()), made));
}

void Links::add_route(const std::vector<std::uint32_t>& links, Handler arrive) {
  routes_.push_back({links, std::move(arrive)});
}

Links::Route& Links::route_of(const Ptr<const Packet>& packet) {
  Ipv4Header header;
  packet->PeekHeader(header);
  return routes_[header.GetDestination().Get() - first_address - 1];
}

void Links::enter(Ptr<Packet> packet) { links_[route_of(packet).links.front()]->send(packet, false); }

void Links::leave(std::uint32_t link, Ptr<Packet> packet) {
  Route& route = route_of(packet);
  const auto here = std::find(route.links.begin(), route.links.end(), link);
  if (here + 1 == route.links.end()) return route.arrive(packet);
  Link* next = links_[*(here + 1)].get();
  if (switch_delay_ == 0) return next->send(packet, true);
  Simulator::Schedule(TimeStep(static_cast<std::uint64_t>(switch_delay_)), &Link::send, next, packet, true);
}

}  // namespace rehearse_ns3
