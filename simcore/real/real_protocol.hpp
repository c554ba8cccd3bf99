// SPDX-License-Identifier: MIT
//
// Messages between a process of actors and the coordinator, and between two processes.
//
// Shape:    messages with the coordinator are those of remote::Connection, with other kinds. Messages between processes
//           are their number of bytes, then PeerKind and body.
// Protocol: hello, orders, connected; then for each run(): ready, start, ..., report, finish.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simcore/remote/message_socket.hpp"
#include "simcore/remote/reports.hpp"
#include "simcore/remote/wire.hpp"

namespace rehearse::real {

inline constexpr std::uint32_t protocol_version = 1;

enum class ControlKind : std::uint32_t {
  crashed = static_cast<std::uint32_t>(remote::MessageKind::crashed),  // a signal handler sends it
  // ---- to the coordinator
  hello = 100,  // protocol_version, process, secret, base address of the code, address and port for the others
  connected,    // all others are reached
  ping,
  ready,    // see Ready: run() was called
  ask,      // for the home of a mailbox; whether this process wants to be it
  uses,     // an object in the memory of one process: its name, its kind, the user
  status,   // see Status
  report,   // see ProcessReport
  refused,  // a text
  // ---- from the coordinator
  orders = 200,  // addresses and ports of all processes
  pong,          // its clock, in nanoseconds
  start,         // the date on its clock
  home,          // mailbox, process
  probe,         // asks for a Status; its number
  lost,          // a process
  stop,          // asks for a ProcessReport
  finish,        // the reports of all processes: end, Stop
};

struct Ready {
  std::string digest;  // of hosts and actors: the same in all processes
  std::string platform;
  double clock_error = 0;  // seconds
};

// `orders`: messages of the coordinator.
struct Status {
  std::uint64_t probe = 0;                            // the latest one that this process has got
  bool is_passive = false;                            // only a message can change anything
  std::vector<std::uint64_t> sent_to, received_from;  // messages, by process
  std::uint64_t orders_received = 0;
  std::uint32_t actors_to_wait_for = 0;  // alive or to start, and no daemons
  bool has_free_work = false;            // activities that belong to no actor
};

struct ActorLine {
  std::uint32_t number = 0;
  std::string name, host;
  bool is_daemon = false, has_ended = false;
  double end = 0;
};

struct ProcessReport {
  remote::Stop stop;
  std::vector<double> failed_dates;  // of those in `stop`
  double end = 0;                    // of the last actor that was no daemon
  std::vector<ActorLine> actors;
  std::uint64_t messages = 0, socket_bytes = 0;
  double bytes = 0, flops = 0, flop_seconds = 0;
};

std::string to_bytes(const Ready& ready);
std::string to_bytes(const Status& status);
std::string to_bytes(const ProcessReport& report);
bool from_bytes(const std::string& bytes, Ready& ready);
bool from_bytes(const std::string& bytes, Status& status);
bool from_bytes(const std::string& bytes, ProcessReport& report);

enum class PeerKind : std::uint32_t {
  // ---- to the home of a mailbox
  put,       // see Announcement
  get,       // number, mailbox, actor
  withdraw,  // see Withdrawal
  // ---- from the home
  answer,   // to a Withdrawal: whether it is a put, its number, whether it was taken back
  send_to,  // number of a put; process and number of the get, and its mailbox's home for a get there
  matched,  // number of a get; process of the sender
  deliver,  // see Delivery, with content
  // ---- to the sender, from the receiver
  arrived,  // number of a put
  broken,   // number of a put; sim::kernel::Failure
  // ---- to the receiver: content in parts, one after the other; those of several messages take turns
  content,  // see Delivery
  part,     // number of the transfer; bytes
  stopped,  // number of the transfer; sim::kernel::Failure: no more parts
  // ---- to all
  actor_ended,  // its number, whether it was killed
  order,        // number of an actor, sim::kernel::FarOrder
  host_state,   // host, whether it is on
};

}  // namespace rehearse::real
