// SPDX-License-Identifier: MIT
//
// The TCP connections between the processes of actors: one from each process to each other one, for what it sends.
//
// Order:    messages to one process arrive in their order. Contents are sent in parts that take turns, behind the
//           messages, so that a large message does not delay the others.
// Run:      messages carry the number of the run; those of earlier runs are dropped, those of later ones wait.
// Errors:   open() and connect() name the address. Later, a broken connection is reported once, by lost().
// Threads:  that of the io_context.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "simcore/real/asio.hpp"
#include "simcore/real/real_protocol.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::real {

struct PeerAddress {
  std::string address;
  std::uint16_t port = 0;
};

// Bytes of a message that follow its announcement.
struct Content {
  std::string bytes;       // that mean something
  std::uint64_t rest = 0;  // further ones, so that the message has its size
};

class PeerNetwork {
 public:
  struct Handlers {
    std::function<void(std::uint32_t process, PeerKind kind, std::string_view body)> received;
    std::function<void(std::uint32_t process)> lost;
  };
  PeerNetwork(boost::asio::io_context& io, Handlers handlers);
  ~PeerNetwork();

  // Port at which the others reach this process.
  Result<std::uint16_t> open(const std::string& address);
  // Connects to all others and waits for their connections.
  Result<void> connect(std::uint32_t self, const std::vector<PeerAddress>& peers, const std::string& secret);

  // `filling`: bytes that mean nothing behind the body.
  void send(std::uint32_t process, PeerKind kind, const std::string& body, std::uint64_t filling = 0);
  // Its number; `header` and the number are the body of a PeerKind::content, PeerKind::part follow.
  std::uint32_t send_content(std::uint32_t process, const std::string& header, Content content);
  void drop_content(std::uint32_t process, std::uint32_t number);  // no more parts

  void begin_run(std::uint32_t run);  // and hands over the messages that wait for it
  bool is_writing_content() const;
  // Messages of this run, by process.
  const std::vector<std::uint64_t>& sent_to() const { return sent_; }
  const std::vector<std::uint64_t>& received_from() const { return received_; }
  std::uint64_t bytes_written() const { return written_; }

 private:
  using Tcp = boost::asio::ip::tcp;
  struct Transfer {
    std::uint32_t number = 0;
    Content content;
    std::size_t at = 0;
  };
  struct Outgoing;
  struct Incoming;
  struct Waiting {
    std::uint32_t process;
    std::string message;
  };

  void accept();
  void read(const std::shared_ptr<Incoming>& from);
  bool greet(Incoming& from);
  bool take_messages(Incoming& from);
  void hand_over(std::uint32_t process, std::string_view message);
  void write(std::uint32_t process);
  void add_part(std::uint32_t process);
  void lose(std::uint32_t process);

  boost::asio::io_context& io_;
  Handlers handlers_;
  Tcp::acceptor acceptor_;
  std::string secret_;
  std::uint32_t self_ = 0, run_ = 0, transfers_ = 0;
  std::uint32_t expected_ = 0, greeted_ = 0;
  std::vector<std::unique_ptr<Outgoing>> outgoing_;  // by process; null: this one
  std::vector<bool> lost_;
  std::vector<Waiting> waiting_;
  std::vector<std::uint64_t> sent_, received_;
  std::uint64_t written_ = 0;
};

}  // namespace rehearse::real
