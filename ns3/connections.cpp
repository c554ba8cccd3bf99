// SPDX-License-Identifier: GPL-2.0-only
//
// See connections.hpp.
#include "ns3/connections.hpp"

#include <algorithm>
#include <cmath>

namespace rehearse_ns3 {

using namespace ns3;

namespace {

constexpr std::uint64_t most_at_once = 1u << 24;  // bytes of one packet that a socket gets
constexpr std::uint16_t first_port = 1024;

}  // namespace

// ---- one connection

Connection::Connection(Connections& all, std::uint32_t path)
    : all_(all), path_(path), bytes_per_second_(std::numeric_limits<double>::infinity()) {}

Connection::~Connection() { next_part_.Cancel(); }

void Connection::connect() {
  Hosts& hosts = all_.hosts_;
  Path& path = hosts.path(path_);
  do {
    port_ = path.next_port;
    path.next_port = path.next_port == 65535 ? first_port : path.next_port + 1;
  } while (hosts.is_open(path.target_address, port_));
  for (const Ipv4Address address : {path.target_address, path.source_address}) {
    hosts.open_port(address, port_);
    all_.by_port_[port_key(address, port_)] = this;
  }
  listener_ = Socket::CreateSocket(hosts.node(path.destination), TcpSocketFactory::GetTypeId());
  listener_->Bind(InetSocketAddress(path.target_address, port_));
  listener_->Listen();
  listener_->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                               MakeCallback(&Connection::on_accepted, this));
  sender_ = Socket::CreateSocket(hosts.node(path.source), TcpSocketFactory::GetTypeId());
  sender_->Bind(InetSocketAddress(path.source_address, port_));
  sender_->SetConnectCallback(MakeCallback(&Connection::on_connected, this), MakeNullCallback<void, Ptr<Socket>>());
  sender_->SetSendCallback(MakeCallback(&Connection::on_room, this));
  sender_->TraceConnectWithoutContext("Tx", MakeCallback(&Connection::on_sent, this));
  sender_->TraceConnectWithoutContext("CongState", MakeCallback(&Connection::on_state, this));
  sender_->Connect(InetSocketAddress(path.target_address, port_));
}

void Connection::on_connected(Ptr<Socket>) {
  is_open_ = true;
  pump();
}

void Connection::on_room(Ptr<Socket>, std::uint32_t) { pump(); }

void Connection::on_accepted(Ptr<Socket> socket, const Address&) {
  receiver_ = socket;
  receiver_->SetRecvCallback(MakeCallback(&Connection::on_data, this));
}

void Connection::on_data(Ptr<Socket> socket) {
  while (const Ptr<Packet> packet = socket->Recv()) {
    if (packet->GetSize() == 0) break;
    received_ += packet->GetSize();
  }
  while (!messages_.empty() && received_ >= messages_.front().end) {
    counts_.message = messages_.front().number;
    all_.done_.push_back(counts_);
    all_.by_message_.erase(counts_.message);
    messages_.pop_front();
  }
}

void Connection::on_sent(Ptr<const Packet> packet, const TcpHeader& header, Ptr<const TcpSocketBase>) {
  const bool opens = (header.GetFlags() & TcpHeader::SYN) != 0;
  if (packet->GetSize() == 0 && !opens) return;
  const SequenceNumber32 begin = header.GetSequenceNumber();
  const SequenceNumber32 end = begin + static_cast<std::int32_t>(packet->GetSize() + (opens ? 1 : 0));
  if (has_sent_ && begin < highest_) ++counts_.retransmissions;
  if (!has_sent_ || highest_ < end) highest_ = end;
  if (opens && has_sent_) ++counts_.timeouts;
  has_sent_ = true;
}

void Connection::on_state(TcpSocketState::TcpCongState_t before, TcpSocketState::TcpCongState_t now) {
  if (now == TcpSocketState::CA_LOSS && before != now) ++counts_.timeouts;
}

void Connection::send(std::uint64_t bytes, std::uint64_t message) {
  const std::uint64_t size = std::max<std::uint64_t>(bytes, 1);
  messages_.push_back({message, offered_, offered_ + size});
  all_.by_message_[message] = this;
  offered_ += size;
  if (!sender_) connect();
  else if (is_open_) pump();
}

void Connection::set_pace(double bytes_per_second) {
  bytes_per_second_ = bytes_per_second;
  next_part_.Cancel();
  if (is_open_) pump();
}

// Hands bytes to the socket as long as it has room. With a pace, it gets one segment at a time.
void Connection::pump() {
  if (next_part_.IsRunning()) return;
  while (handed_ < offered_ && bytes_per_second_ > 0) {
    const bool is_paced = std::isfinite(bytes_per_second_);
    const std::uint64_t most = is_paced ? all_.segment_bytes_ : most_at_once;
    const std::uint64_t part = std::min({offered_ - handed_, most, std::uint64_t{sender_->GetTxAvailable()}});
    if (part == 0) return;  // on_room() continues
    handed_ += part;        // Send() can call on_room()
    sender_->Send(Create<Packet>(static_cast<std::uint32_t>(part)));
    if (!is_paced) continue;
    const double picoseconds = std::min(1e12 * static_cast<double>(part) / bytes_per_second_, 4e18);
    next_part_ =
        Simulator::Schedule(TimeStep(static_cast<std::uint64_t>(std::llround(picoseconds))), &Connection::pump, this);
    return;
  }
}

std::uint64_t Connection::left_of(std::uint64_t message) const {
  for (const Message& sought : messages_)
    if (sought.number == message) return sought.end - std::clamp(received_, sought.begin, sought.end);
  return 0;
}

// To the socket at this host, as if the other end had sent it. Sockets that get it are closed at once.
void Connection::reset(std::uint32_t host, Ipv4Address from, Ipv4Address to) {
  TcpHeader tcp;
  tcp.SetFlags(TcpHeader::RST);
  tcp.SetSourcePort(port_);
  tcp.SetDestinationPort(port_);
  Ptr<Packet> packet = Create<Packet>();
  packet->AddHeader(tcp);
  Ipv4Header ip;
  ip.SetSource(from);
  ip.SetDestination(to);
  ip.SetProtocol(TcpL4Protocol::PROT_NUMBER);
  ip.SetPayloadSize(static_cast<std::uint16_t>(packet->GetSize()));
  ip.SetTtl(64);
  packet->AddHeader(ip);
  all_.hosts_.deliver(host, packet);
}

void Connection::close() {
  next_part_.Cancel();
  for (const Message& lost : messages_) all_.by_message_.erase(lost.number);
  messages_.clear();
  if (!sender_) return;
  const Path& path = all_.hosts_.path(path_);
  for (const Ptr<Socket>& socket : {sender_, listener_, receiver_}) {
    if (!socket) continue;
    socket->SetConnectCallback(MakeNullCallback<void, Ptr<Socket>>(), MakeNullCallback<void, Ptr<Socket>>());
    socket->SetSendCallback(MakeNullCallback<void, Ptr<Socket>, std::uint32_t>());
    socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
    socket->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                              MakeNullCallback<void, Ptr<Socket>, const Address&>());
  }
  sender_->TraceDisconnectWithoutContext("Tx", MakeCallback(&Connection::on_sent, this));
  sender_->TraceDisconnectWithoutContext("CongState", MakeCallback(&Connection::on_state, this));
  listener_->Close();
  reset(path.source, path.target_address, path.source_address);
  reset(path.destination, path.source_address, path.target_address);  // also while the connection opens
  for (const Ipv4Address address : {path.target_address, path.source_address}) {
    all_.hosts_.close_port(address, port_);
    all_.by_port_.erase(port_key(address, port_));
  }
}

// ---- all connections

void Connections::close(std::uint32_t number) {
  if (!all_[number]) return;
  all_[number]->close();
  all_[number].reset();
}

Connection* Connections::of_message(std::uint64_t message) {
  const auto found = by_message_.find(message);
  return found == by_message_.end() ? nullptr : found->second;
}

void Connections::on_drop(const Ptr<Packet>& packet) {
  const auto [address, port] = target_of(packet);
  const auto found = by_port_.find(port_key(address, port));
  if (found != by_port_.end()) found->second->count_drop();
}

}  // namespace rehearse_ns3
