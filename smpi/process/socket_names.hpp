// SPDX-License-Identifier: MIT
//
// Addresses of sockets between ranks. Each node has an address of its own, which is that of its name for ranks
// (interpose_host_names.cpp): 127.77.x.y for node 256 x + y. The loopback addresses are those of the calling rank's
// node.
//
// Not here: other addresses. They are outside of the run.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rehearse::smpi {

// An address as programs give and get it.
class SocketName {
 public:
  SocketName() = default;
  // Cut to the room of the largest address that is supported.
  SocketName(const sockaddr* address, socklen_t bytes);
  static SocketName unnamed(int family);
  // The name of this port on the calling rank's node.
  static SocketName here(int family, std::uint16_t port);

  // As getsockname(): copies what fits into `bytes` bytes, and sets them to the whole length. Null: nothing is wanted.
  void write(sockaddr* to, socklen_t* bytes) const;

  int family() const { return bytes_.size() < sizeof(sa_family_t) ? AF_UNSPEC : plain()->sa_family; }
  // Of an address of the internet; 0: none.
  std::uint16_t port() const;
  void set_port(std::uint16_t port);

  // The name under which a listening socket at this address is known in the whole run. Empty: the address is outside of
  // the run.
  std::string service() const;

  std::string_view bytes() const { return bytes_; }

 private:
  const sockaddr* plain() const { return reinterpret_cast<const sockaddr*>(bytes_.data()); }
  std::optional<std::uint32_t> node() const;

  std::string bytes_;
};

// The numerical address of the node with this name; empty: no node has it.
std::string address_of_node(std::string_view name, int family);

}  // namespace rehearse::smpi
