// SPDX-License-Identifier: MIT
//
// The numbers (descriptors) of the sockets of a rank. See sockets.hpp.
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "simcore/actor.hpp"
#include "smpi/process/interposers.hpp"
#include "smpi/process/socket_messages.hpp"
#include "smpi/process/sockets.hpp"

namespace rehearse::smpi {
int RankSockets::free_number(int least) const {
  int number = std::max(least, first_number);
  while (sockets_.contains(number)) ++number;
  return number < end_number ? number : failed_call(EMFILE);
}

int RankSockets::enter(int number, std::shared_ptr<Socket> socket) {
  if (number < 0) return number;
  ++socket->numbers;
  sockets_.insert_or_assign(number, std::move(socket));
  return number;
}

int RankSockets::add(Socket socket) {
  const int number = sockets_are_explored() ? free_number(first_number)
                                            : ::socket(socket.family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  return enter(number, std::make_shared<Socket>(std::move(socket)));
}

int RankSockets::duplicate(int number, int least) {
  const std::shared_ptr<Socket> socket = sockets_.at(number);
  if (!sockets_are_explored()) return enter(::fcntl(number, F_DUPFD_CLOEXEC, least), socket);
  return least < 0 || least >= end_number ? failed_call(EINVAL) : enter(free_number(least), socket);
}

// The numbers of files belong to all ranks in a run, and are not known here in a check.
int RankSockets::duplicate_to(int number, int wanted) {
  if (number == wanted) return number;
  if (wanted < 0 || wanted >= end_number) return failed_call(EBADF);
  const std::shared_ptr<Socket> socket = sockets_.at(number);
  if (contains(wanted)) close(wanted);
  bool is_free = wanted >= first_number;
  if (!sockets_are_explored()) {
    const int got = ::fcntl(number, F_DUPFD_CLOEXEC, wanted);
    is_free = got == wanted;
    if (got >= 0 && !is_free) ::close(got);
  }
  if (!is_free)
    fail_rank(FailureKind::unsupported, "unsupported.function",
              "dup2 (of a socket between ranks, to a descriptor of something else)");
  return enter(wanted, socket);
}

void RankSockets::drop(int number) {
  const std::shared_ptr<Socket> socket = sockets_.at(number);
  sockets_.erase(number);
  --socket->numbers;
  end_if_unused(*socket);
}

void RankSockets::end_if_unused(Socket& socket) {
  if (socket.numbers > 0 || socket.calls > 0) return;
  const State state = std::exchange(socket.state, State::fresh);
  if (state == State::connected) end_writing(socket);
  if (state == State::listening) close_listener(socket);
}

}  // namespace rehearse::smpi
