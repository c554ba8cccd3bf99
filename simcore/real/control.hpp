// SPDX-License-Identifier: MIT
//
// The connection of a process of actors with the coordinator.
//
// Errors:  connect() says why there is none. When it breaks later, the process ends: nobody would end it otherwise.
// Threads: that of the io_context; send() waits until the bytes are written.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "simcore/real/asio.hpp"
#include "simcore/real/real_protocol.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::real {

class ControlLink {
 public:
  using Received = std::function<void(ControlKind kind, std::string body)>;
  ControlLink(boost::asio::io_context& io, Received received) : socket_(io), received_(std::move(received)) {}

  // unix:PATH or tcp:ADDRESS:PORT
  Result<void> connect(const std::string& place);
  void send(ControlKind kind, const std::string& body);
  int descriptor() { return socket_.native_handle(); }
  std::uint64_t received_count() const { return count_; }

 private:
  void read();
  void take_messages();

  boost::asio::generic::stream_protocol::socket socket_;
  Received received_;
  std::string bytes_;
  std::vector<char> buffer_ = std::vector<char>(std::size_t{16} << 10);
  std::uint64_t count_ = 0;
};

}  // namespace rehearse::real
