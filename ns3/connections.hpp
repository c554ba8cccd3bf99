// SPDX-License-Identifier: GPL-2.0-only
//
// TCP connections between hosts, and the messages in them.
//
// Shape:    a connection is two sockets of ns-3 with the same port. The destination listens before the source connects.
//           The first message connects. Messages are a stream of bytes without content.
// Done:     a message is complete when its last byte has arrived in order at the destination. TCP never closes a
//           connection: close() makes both ends forget it at once, so that no FIN is on the links.
// Counts:   ns-3 3.37 has no trace of retransmissions. A segment that begins below the highest sequence number sent is
//           one. An entry into the state of loss is a timeout, and so is a SYN that is sent again.
// Threads:  none.
#pragma once

#include <deque>

#include "ns3/hosts.hpp"

namespace rehearse_ns3 {

class Connections;

class Connection {
 public:
  Connection(Connections& all, std::uint32_t path);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void send(std::uint64_t bytes, std::uint64_t message);
  void set_pace(double bytes_per_second);
  std::uint64_t left_of(std::uint64_t message) const;
  void count_drop() { ++counts_.drops; }
  void close();

 private:
  struct Message {
    std::uint64_t number = 0;
    std::uint64_t begin = 0, end = 0;  // in the stream
  };

  void connect();
  void on_connected(ns3::Ptr<ns3::Socket> socket);
  void on_room(ns3::Ptr<ns3::Socket> socket, std::uint32_t bytes);
  void on_accepted(ns3::Ptr<ns3::Socket> socket, const ns3::Address& from);
  void on_data(ns3::Ptr<ns3::Socket> socket);
  void on_sent(ns3::Ptr<const ns3::Packet> packet, const ns3::TcpHeader& header,
               ns3::Ptr<const ns3::TcpSocketBase> socket);
  void on_state(ns3::TcpSocketState::TcpCongState_t before, ns3::TcpSocketState::TcpCongState_t now);
  void pump();
  void reset(std::uint32_t host, ns3::Ipv4Address from, ns3::Ipv4Address to);

  Connections& all_;
  std::uint32_t path_;
  std::uint16_t port_ = 0;
  ns3::Ptr<ns3::Socket> sender_, listener_, receiver_;
  bool is_open_ = false;
  bool has_sent_ = false;
  ns3::SequenceNumber32 highest_;  // the end of what was sent
  double bytes_per_second_;        // at which the socket gets bytes
  ns3::EventId next_part_;
  std::uint64_t offered_ = 0;  // bytes of all messages
  std::uint64_t handed_ = 0;   // to the socket
  std::uint64_t received_ = 0;
  std::deque<Message> messages_;  // that are not complete
  protocol::Done counts_;
};

class Connections {
 public:
  Connections(Hosts& hosts, std::uint32_t segment_bytes) : hosts_(hosts), segment_bytes_(segment_bytes) {}

  void add(std::uint32_t path) { all_.push_back(std::make_unique<Connection>(*this, path)); }
  std::size_t count() const { return all_.size(); }
  Connection* find(std::uint32_t number) { return all_[number].get(); }  // null: closed
  void close(std::uint32_t number);
  Connection* of_message(std::uint64_t message);  // null: it is complete, or unknown
  // Of a lost packet.
  void on_drop(const ns3::Ptr<ns3::Packet>& packet);
  // Messages that are complete, until someone takes them.
  std::vector<protocol::Done>& done() { return done_; }

 private:
  friend class Connection;

  Hosts& hosts_;
  std::uint32_t segment_bytes_;
  std::vector<std::unique_ptr<Connection>> all_;
  std::unordered_map<std::uint64_t, Connection*> by_message_;
  std::unordered_map<std::uint64_t, Connection*> by_port_;  // of each of their two addresses
  std::vector<protocol::Done> done_;
};

}  // namespace rehearse_ns3
