// SPDX-License-Identifier: MIT
//
// Source: tcp(7), getifaddrs(3).
#include "app/distribution/connection.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>

#include "simcore/support/format.hpp"

namespace rehearse::app::distribution {
namespace {

constexpr int backlog = 256;
constexpr std::size_t longest_line = 4096;
// Of a machine that does not answer, in seconds.
constexpr int idle_seconds = 10, probe_seconds = 5, probes = 4;
constexpr unsigned unanswered_ms = 30'000;

int milliseconds(double seconds) { return static_cast<int>(seconds * 1000); }

// Whether the descriptor is ready before the time is over.
bool wait_for(int descriptor, short event, double seconds) {
  pollfd line = {descriptor, event, 0};
  int count;
  do count = poll(&line, 1, milliseconds(seconds));
  while (count < 0 && errno == EINTR);
  return count > 0;
}

int closed(int descriptor) {
  const int reason = errno;
  close(descriptor);
  errno = reason;
  return -1;
}

}  // namespace

int listen_anywhere() {
  const int descriptor = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor >= 0) {
    const int off = 0;  // IPv4, too
    setsockopt(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    sockaddr_in6 any{};
    any.sin6_family = AF_INET6;
    if (bind(descriptor, reinterpret_cast<const sockaddr*>(&any), sizeof any) == 0 && listen(descriptor, backlog) == 0)
      return descriptor;
    close(descriptor);
  }
  const int old = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (old < 0) return -1;
  sockaddr_in any{};
  any.sin_family = AF_INET;
  if (bind(old, reinterpret_cast<const sockaddr*>(&any), sizeof any) == 0 && listen(old, backlog) == 0) return old;
  return closed(old);
}

std::uint16_t port_of(int listening) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (getsockname(listening, reinterpret_cast<sockaddr*>(&address), &size) != 0) return 0;
  if (address.ss_family == AF_INET) return ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
  return ntohs(reinterpret_cast<const sockaddr_in6&>(address).sin6_port);
}

std::vector<std::string> own_addresses() {
  std::vector<std::string> outer, loopback;
  ifaddrs* all = nullptr;
  if (getifaddrs(&all) != 0) return {};
  for (const ifaddrs* one = all; one != nullptr; one = one->ifa_next) {
    if (one->ifa_addr == nullptr || (one->ifa_flags & IFF_UP) == 0) continue;
    const int family = one->ifa_addr->sa_family;
    if (family != AF_INET && family != AF_INET6) continue;
    const socklen_t size = family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
    char text[NI_MAXHOST];
    if (getnameinfo(one->ifa_addr, size, text, sizeof text, nullptr, 0, NI_NUMERICHOST) != 0) continue;
    if (family == AF_INET6 && IN6_IS_ADDR_LINKLOCAL(&reinterpret_cast<const sockaddr_in6*>(one->ifa_addr)->sin6_addr))
      continue;  // it means nothing elsewhere
    ((one->ifa_flags & IFF_LOOPBACK) != 0 ? loopback : outer).emplace_back(text);
  }
  freeifaddrs(all);
  std::ranges::copy(loopback, std::back_inserter(outer));
  return outer;
}

std::string own_name() {
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  return name;
}

int connect_to(const std::string& address, std::uint16_t port, double seconds) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  if (getaddrinfo(address.c_str(), fmt::format("{}", port).c_str(), &hints, &found) != 0) return -1;
  const int descriptor = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  int reason = descriptor < 0 ? errno : 0;
  if (reason == 0 && connect(descriptor, found->ai_addr, found->ai_addrlen) != 0) {
    socklen_t size = sizeof reason;
    if (errno != EINPROGRESS) reason = errno;
    else if (!wait_for(descriptor, POLLOUT, seconds)) reason = ETIMEDOUT;
    else getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &reason, &size);
  }
  freeaddrinfo(found);
  errno = reason;
  if (reason != 0) return descriptor < 0 ? -1 : closed(descriptor);
  fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
  return descriptor;
}

void tune(int connection) {
  const auto set = [connection](int level, int name, auto value) {
    setsockopt(connection, level, name, &value, sizeof value);
  };
  set(IPPROTO_TCP, TCP_NODELAY, 1);
  set(SOL_SOCKET, SO_KEEPALIVE, 1);
  set(IPPROTO_TCP, TCP_KEEPIDLE, idle_seconds);
  set(IPPROTO_TCP, TCP_KEEPINTVL, probe_seconds);
  set(IPPROTO_TCP, TCP_KEEPCNT, probes);
  set(IPPROTO_TCP, TCP_USER_TIMEOUT, unanswered_ms);
}

// Byte by byte: what follows the line belongs to others.
std::optional<std::string> read_line(int connection, double seconds) {
  std::string line;
  for (char letter; line.size() < longest_line; line += letter) {
    if (!wait_for(connection, POLLIN, seconds) || recv(connection, &letter, 1, 0) != 1) return std::nullopt;
    if (letter == '\n') return line;
  }
  return std::nullopt;
}

bool write_line(int connection, std::string_view line) {
  const std::string text = std::string(line) + '\n';
  return send(connection, text.data(), text.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(text.size());
}

}  // namespace rehearse::app::distribution
