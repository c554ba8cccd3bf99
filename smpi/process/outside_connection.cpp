// SPDX-License-Identifier: MIT
//
// See outside_connection.hpp.
#include "smpi/process/outside_connection.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

#include "smpi/process/interposers.hpp"
#include "smpi/process/socket_messages.hpp"

namespace rehearse::smpi {
namespace {

constexpr int patience_outside_ms = 100;  // a refusal of this machine takes much less

// What the kernel says of a connection: 0, or an error, EINPROGRESS if it takes longer than the patience.
int error_of_connection(int family, const SocketName& to) {
  const int trial = ::socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (trial < 0) return errno;
  int error = 0;
  if (::connect(trial, reinterpret_cast<const sockaddr*>(to.bytes().data()),
                static_cast<socklen_t>(to.bytes().size())) != 0)
    error = errno;
  pollfd end{trial, POLLOUT, 0};
  socklen_t bytes = sizeof error;
  if (error == EINPROGRESS && ::poll(&end, 1, patience_outside_ms) > 0)
    ::getsockopt(trial, SOL_SOCKET, SO_ERROR, &error, &bytes);
  ::close(trial);
  return error;
}

}  // namespace

[[noreturn]] int refuse_outside() {
  fail_rank(FailureKind::unsupported, "unsupported.function", "connect (to an address at which no rank listens)");
}

int connect_outside(int family, const SocketName& to) {
  const int error = error_of_connection(family, to);
  if (error == 0 || error == EINPROGRESS || error == EAGAIN) refuse_outside();
  return failed_call(error);
}

}  // namespace rehearse::smpi
