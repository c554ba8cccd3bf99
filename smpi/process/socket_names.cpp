// SPDX-License-Identifier: MIT
//
// See socket_names.hpp.
#include "smpi/process/socket_names.hpp"

#include <arpa/inet.h>
#include <sys/un.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "simcore/actor.hpp"
#include "simcore/support/format.hpp"
#include "smpi/process.hpp"

namespace rehearse::smpi {
namespace {

constexpr std::uint32_t loopback_net = 127, node_net = 127u << 8 | 77;  // the first byte, and the first two

std::uint32_t own_node() { return node_map().node_of(current_actor().value); }

std::uint32_t address_of(std::uint32_t node) { return node_net << 16 | (node & 0xffff); }

// The node of an address in the order of bytes of the machine.
std::optional<std::uint32_t> node_at(std::uint32_t address) {
  if (address >> 16 == node_net) return address & 0xffff;
  if (address == INADDR_ANY || address >> 24 == loopback_net) return own_node();
  return std::nullopt;
}

// Within an address of IPv6 that stands for one of IPv4.
std::uint32_t mapped(const in6_addr& address) {
  std::uint32_t word;
  std::memcpy(&word, address.s6_addr + 12, sizeof word);
  return ntohl(word);
}

in6_addr to_mapped(std::uint32_t address) {
  in6_addr made{};
  made.s6_addr[10] = made.s6_addr[11] = 0xff;
  const std::uint32_t word = htonl(address);
  std::memcpy(made.s6_addr + 12, &word, sizeof word);
  return made;
}

template <class Address>
std::string text_of(const Address& address) {
  return {reinterpret_cast<const char*>(&address), sizeof address};
}

}  // namespace

SocketName::SocketName(const sockaddr* address, socklen_t bytes)
    : bytes_(reinterpret_cast<const char*>(address), std::min<std::size_t>(bytes, sizeof(sockaddr_storage))) {
  std::size_t wanted = bytes_.size();
  if (family() == AF_INET) wanted = sizeof(sockaddr_in);
  if (family() == AF_INET6) wanted = sizeof(sockaddr_in6);
  bytes_.resize(wanted, '\0');
}

SocketName SocketName::unnamed(int family) {
  SocketName made;
  const auto kind = static_cast<sa_family_t>(family);
  made.bytes_ = text_of(kind);
  if (family == AF_INET || family == AF_INET6)
    made.bytes_.resize(family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6), '\0');
  return made;
}

SocketName SocketName::here(int family, std::uint16_t port) {
  SocketName made = unnamed(family);
  const std::uint32_t address = address_of(own_node());
  if (family == AF_INET) {
    sockaddr_in name{};
    name.sin_family = AF_INET;
    name.sin_addr.s_addr = htonl(address);
    made.bytes_ = text_of(name);
  } else if (family == AF_INET6) {
    sockaddr_in6 name{};
    name.sin6_family = AF_INET6;
    name.sin6_addr = to_mapped(address);
    made.bytes_ = text_of(name);
  }
  made.set_port(port);
  return made;
}

void SocketName::write(sockaddr* to, socklen_t* bytes) const {
  if (to == nullptr || bytes == nullptr) return;
  std::memcpy(to, bytes_.data(), std::min<std::size_t>(*bytes, bytes_.size()));
  *bytes = static_cast<socklen_t>(bytes_.size());
}

// The port is at the same place in both kinds of addresses.
static_assert(offsetof(sockaddr_in, sin_port) == offsetof(sockaddr_in6, sin6_port));

std::uint16_t SocketName::port() const {
  if (family() != AF_INET && family() != AF_INET6) return 0;
  in_port_t port;
  std::memcpy(&port, bytes_.data() + offsetof(sockaddr_in, sin_port), sizeof port);
  return ntohs(port);
}

void SocketName::set_port(std::uint16_t port) {
  if (family() != AF_INET && family() != AF_INET6) return;
  const in_port_t stored = htons(port);
  std::memcpy(bytes_.data() + offsetof(sockaddr_in, sin_port), &stored, sizeof stored);
}

std::optional<std::uint32_t> SocketName::node() const {
  if (family() == AF_INET) {
    sockaddr_in name;
    std::memcpy(&name, bytes_.data(), sizeof name);
    return node_at(ntohl(name.sin_addr.s_addr));
  }
  sockaddr_in6 name;
  std::memcpy(&name, bytes_.data(), sizeof name);
  if (IN6_IS_ADDR_LOOPBACK(&name.sin6_addr) || IN6_IS_ADDR_UNSPECIFIED(&name.sin6_addr)) return own_node();
  return IN6_IS_ADDR_V4MAPPED(&name.sin6_addr) ? node_at(mapped(name.sin6_addr)) : std::nullopt;
}

std::string SocketName::service() const {
  if (family() == AF_INET || family() == AF_INET6) {
    const auto at = node();
    return at && port() != 0 ? fmt::format("socket:{}:{}", *at, port()) : "";
  }
  if (family() != AF_UNIX || bytes_.size() <= offsetof(sockaddr_un, sun_path)) return {};
  std::string_view path = std::string_view(bytes_).substr(offsetof(sockaddr_un, sun_path));
  if (path.front() != '\0') path = path.substr(0, path.find('\0'));  // else an abstract name, with all its bytes
  std::string text = fmt::format("socket:{}:", own_node());
  for (const char letter : path) text += fmt::format("{:02x}", static_cast<unsigned char>(letter));
  return text;
}

std::string address_of_node(std::string_view name, int family) {
  const std::vector<std::string>& names = node_map().names;
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return {};
  const std::uint32_t address = address_of(static_cast<std::uint32_t>(found - names.begin()));
  return fmt::format("{}{}.{}.{}.{}", family == AF_INET6 ? "::ffff:" : "", address >> 24, address >> 16 & 0xff,
                     address >> 8 & 0xff, address & 0xff);
}

}  // namespace rehearse::smpi
