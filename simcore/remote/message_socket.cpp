// SPDX-License-Identifier: MIT
//
// See message_socket.hpp.
#include "simcore/remote/message_socket.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace rehearse::remote {
namespace {

constexpr int stop_poll_ms = 100;  // between looks at the stop token

struct Header {
  MessageKind kind = MessageKind::quit;
  std::uint32_t bytes = 0;
};

bool send_all(int socket, const char* data, std::size_t bytes) {
  while (bytes > 0) {
    const ssize_t sent = ::send(socket, data, bytes, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    data += sent;
    bytes -= static_cast<std::size_t>(sent);
  }
  return true;
}

}  // namespace

Connection::~Connection() { close(socket_); }

bool Connection::send(const Message& message) {
  const Header header{message.kind, static_cast<std::uint32_t>(message.body.size())};
  std::string bytes(reinterpret_cast<const char*>(&header), sizeof header);
  bytes += message.body;
  return send_all(socket_, bytes.data(), bytes.size());
}

bool Connection::read_all(char* to, std::size_t bytes) {
  while (bytes > 0) {
    const ssize_t got = read(socket_, to, bytes);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    to += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

Connection::Received Connection::receive(Message& message, const StopToken& stop) {
  if (stop.can_stop()) {
    pollfd input{socket_, POLLIN, 0};
    while (poll(&input, 1, stop_poll_ms) == 0)
      if (stop.stop_requested()) return Received::stopped;
  }
  Header header;
  if (!read_all(reinterpret_cast<char*>(&header), sizeof header)) return Received::closed;
  message.kind = header.kind;
  message.body.resize(header.bytes);
  return read_all(message.body.data(), header.bytes) ? Received::message : Received::closed;
}

bool Connection::receive_raw(MessageKind& kind, void* body, std::size_t limit, std::uint32_t& bytes) {
  Header header;
  if (!read_all(reinterpret_cast<char*>(&header), sizeof header) || header.bytes > limit) return false;
  kind = header.kind;
  bytes = header.bytes;
  return read_all(static_cast<char*>(body), bytes);
}

void send_raw(int socket, MessageKind kind, const void* body, std::uint32_t bytes) {
  const Header header{kind, bytes};
  if (send_all(socket, reinterpret_cast<const char*>(&header), sizeof header))
    send_all(socket, static_cast<const char*>(body), bytes);
}

}  // namespace rehearse::remote
