// SPDX-License-Identifier: MIT
//
// The functions of sockets (sockets.hpp); of other descriptors, libc's own. Those that also take files are in
// interpose_stream.cpp and interpose_files.cpp.
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include "smpi/per_rank.hpp"
#include "smpi/process/interposers.hpp"
#include "smpi/process/rank_threads.hpp"
#include "smpi/process/refused_function.hpp"
#include "smpi/process/sockets.hpp"

namespace rehearse::smpi {
namespace {

constexpr std::int64_t limit_units = 1'000'000;  // of limits of time, per second
constexpr std::int64_t longest_limit_s = 9'000'000;

int fail_with(int error) {
  errno = error;
  return -1;
}

[[noreturn]] void refuse_socket_call(const char* what) {
  fail_rank(FailureKind::unsupported, "unsupported.function", what);
}

int rank_socket(int family, int type, int protocol) {
  if (has_sockets() || rank_files() != nullptr) return per_rank<RankSockets>().open(family, type, protocol);
  return ::socket(family, type, protocol);
}

int rank_socketpair(int family, int type, int protocol, int* ends) {
  if (rank_files() != nullptr) refuse_socket_call("socketpair");
  return ::socketpair(family, type, protocol, ends);
}

int rank_bind(int number, const sockaddr* address, socklen_t bytes) {
  RankSockets* sockets = sockets_of(number);
  return sockets == nullptr ? ::bind(number, address, bytes) : sockets->bind(number, SocketName(address, bytes));
}

int rank_listen(int number, int backlog) {
  RankSockets* sockets = sockets_of(number);
  return sockets == nullptr ? ::listen(number, backlog) : sockets->listen(number);
}

int rank_accept4(int number, sockaddr* address, socklen_t* bytes, int flags) {
  RankSockets* sockets = sockets_of(number);
  if (sockets == nullptr) return ::accept4(number, address, bytes, flags);
  note_idling();
  SocketName peer;
  const int made = sockets->accept(number, peer, flags);
  if (made >= 0) peer.write(address, bytes);
  return made;
}
int rank_accept(int number, sockaddr* address, socklen_t* bytes) { return rank_accept4(number, address, bytes, 0); }

int rank_connect(int number, const sockaddr* address, socklen_t bytes) {
  RankSockets* sockets = sockets_of(number);
  if (sockets == nullptr) return ::connect(number, address, bytes);
  note_idling();
  return sockets->connect(number, SocketName(address, bytes));
}

int rank_getsockname(int number, sockaddr* address, socklen_t* bytes) {
  RankSockets* sockets = sockets_of(number);
  if (sockets == nullptr) return ::getsockname(number, address, bytes);
  sockets->own_name(number).write(address, bytes);
  return 0;
}

int rank_getpeername(int number, sockaddr* address, socklen_t* bytes) {
  RankSockets* sockets = sockets_of(number);
  if (sockets == nullptr) return ::getpeername(number, address, bytes);
  const SocketName* peer = sockets->peer_name(number);
  if (peer == nullptr) return fail_with(ENOTCONN);
  peer->write(address, bytes);
  return 0;
}

ReadFlags read_flags(int flags) {
  if ((flags & (MSG_OOB | MSG_ERRQUEUE)) != 0) refuse_socket_call("recv with MSG_OOB or MSG_ERRQUEUE");
  return {(flags & MSG_DONTWAIT) == 0, (flags & MSG_PEEK) != 0, (flags & MSG_WAITALL) != 0};
}

ssize_t rank_recv(int number, void* to, std::size_t bytes, int flags) {
  RankSockets* sockets = sockets_of(number);
  if (sockets == nullptr) return ::recv(number, to, bytes, flags);
  note_idling();
  return sockets->read(number, to, bytes, read_flags(flags));
}

ssize_t rank_recvfrom(int number, void* to, std::size_t bytes, int flags, sockaddr* address, socklen_t* length) {
  if (sockets_of(number) == nullptr) return ::recvfrom(number, to, bytes, flags, address, length);
  if (length != nullptr) *length = 0;  // as for all streams
  return rank_recv(number, to, bytes, flags);
}

ssize_t rank_recv_checked(int number, void* to, std::size_t bytes, std::size_t, int flags) {
  return rank_recv(number, to, bytes, flags);
}
ssize_t rank_recvfrom_checked(int number, void* to, std::size_t bytes, std::size_t, int flags, sockaddr* address,
                              socklen_t* length) {
  return rank_recvfrom(number, to, bytes, flags, address, length);
}

ssize_t rank_send(int number, const void* from, std::size_t bytes, int flags) {
  RankSockets* sockets = sockets_of(number);
  if (sockets == nullptr) return ::send(number, from, bytes, flags);
  if ((flags & MSG_OOB) != 0) refuse_socket_call("send with MSG_OOB");
  return sockets->write(number, from, bytes);
}

ssize_t rank_sendto(int number, const void* from, std::size_t bytes, int flags, const sockaddr* address,
                    socklen_t length) {
  if (sockets_of(number) == nullptr) return ::sendto(number, from, bytes, flags, address, length);
  return rank_send(number, from, bytes, flags);
}

ssize_t rank_recvmsg(int number, msghdr* message, int flags) {
  RankSockets* sockets = sockets_of(number);
  if (sockets == nullptr) return ::recvmsg(number, message, flags);
  const ssize_t got = read_parts(number, message->msg_iov, message->msg_iovlen, flags);
  message->msg_namelen = 0;
  message->msg_controllen = 0;
  message->msg_flags = 0;
  return got;
}

ssize_t rank_sendmsg(int number, const msghdr* message, int flags) {
  RankSockets* sockets = sockets_of(number);
  if (sockets == nullptr) return ::sendmsg(number, message, flags);
  if (message->msg_controllen > 0) refuse_socket_call("sendmsg with control data, on a socket between ranks");
  return write_parts(number, message->msg_iov, message->msg_iovlen);
}

int rank_shutdown(int number, int how) {
  RankSockets* sockets = sockets_of(number);
  return sockets == nullptr ? ::shutdown(number, how) : sockets->shut_down(number, how);
}

bool is_time_limit(int level, int option) {
  return level == SOL_SOCKET && (option == SO_RCVTIMEO || option == SO_SNDTIMEO);
}

std::int64_t& time_limit(RankSockets& sockets, int number, int option) {
  TimeLimits& limits = sockets.time_limits(number);
  return option == SO_RCVTIMEO ? limits.receive : limits.send;
}

int set_time_limit(std::int64_t& limit, const void* value, socklen_t bytes) {
  timeval time{};
  if (bytes < sizeof time) return fail_with(EINVAL);
  std::memcpy(&time, value, sizeof time);
  if (time.tv_usec < 0 || time.tv_usec >= limit_units) return fail_with(EDOM);
  const auto seconds = std::min<std::int64_t>(time.tv_sec, longest_limit_s);
  limit = seconds < 0 ? -1 : seconds * limit_units + time.tv_usec;
  return 0;
}

// Other options than limits of time change nothing. A connection to the outside will be the kernel's, with its limits.
int rank_setsockopt(int number, int level, int option, const void* value, socklen_t bytes) {
  RankSockets* sockets = sockets_of(number);
  if (sockets == nullptr) return ::setsockopt(number, level, option, value, bytes);
  if (!is_time_limit(level, option)) return 0;
  const int status = set_time_limit(time_limit(*sockets, number, option), value, bytes);
  return status == 0 && rank_files() == nullptr ? ::setsockopt(number, level, option, value, bytes) : status;
}

int rank_getsockopt(int number, int level, int option, void* value, socklen_t* bytes) {
  RankSockets* sockets = sockets_of(number);
  if (sockets == nullptr) return ::getsockopt(number, level, option, value, bytes);
  const auto answer_with = [&](const auto& answer) {
    *bytes = std::min<socklen_t>(*bytes, sizeof answer);
    std::memcpy(value, &answer, *bytes);
    return 0;
  };
  if (is_time_limit(level, option)) {
    const std::int64_t limit = std::max<std::int64_t>(time_limit(*sockets, number, option), 0);
    return answer_with(timeval{limit / limit_units, limit % limit_units});
  }
  int answer = 0;
  if (level == SOL_SOCKET && option == SO_TYPE) answer = SOCK_STREAM;
  if (level == SOL_SOCKET && option == SO_DOMAIN) answer = sockets->family(number);
  if (level == SOL_SOCKET && option == SO_ACCEPTCONN) answer = sockets->is_listening(number);
  return answer_with(answer);
}

// A rank's standard streams cannot be redirected, and a run's descriptors of files belong to all ranks.
int rank_dup2(int number, int wanted) {
  if (RankSockets* sockets = sockets_of(number)) return sockets->duplicate_to(number, wanted);
  rehearse::smpi::refuse<"dup2">();
}

int rank_dup3(int number, int wanted, int flags) {
  RankSockets* sockets = sockets_of(number);
  if (sockets == nullptr) rehearse::smpi::refuse<"dup3">();
  if (number == wanted || (flags & ~O_CLOEXEC) != 0) return fail_with(EINVAL);
  return sockets->duplicate_to(number, wanted);
}

// Functions that do not know sockets between ranks, with the place of the descriptor among their arguments.
struct SocketBlind {
  const char* name;
  void* real;
  int place;
};
const SocketBlind blind[] = {{"epoll_ctl", function_address(::epoll_ctl), 2},
                             {"sendmmsg", function_address(::sendmmsg), 0},
                             {"recvmmsg", function_address(::recvmmsg), 0}};

template <std::size_t which>
long refuse_sockets(long a, long b, long c, long d, long e, long f) {
  const long places[] = {a, b, c};
  if (sockets_of(static_cast<int>(places[blind[which].place])) != nullptr)
    refuse_socket_call((std::string(blind[which].name) + " (of a socket between ranks)").c_str());
  return reinterpret_cast<long (*)(long, long, long, long, long, long)>(blind[which].real)(a, b, c, d, e, f);
}

}  // namespace

ssize_t read_parts(int number, const iovec* parts, std::size_t count, int flags) {
  std::size_t room = 0;
  for (std::size_t i = 0; i < count; ++i) room += parts[i].iov_len;
  std::vector<char> bytes(room);
  const ssize_t got = rank_recv(number, bytes.data(), room, flags);
  std::size_t at = 0;
  for (std::size_t i = 0; i < count && got > 0 && at < static_cast<std::size_t>(got); ++i) {
    const std::size_t part = std::min(parts[i].iov_len, static_cast<std::size_t>(got) - at);
    std::memcpy(parts[i].iov_base, bytes.data() + at, part);
    at += part;
  }
  return got;
}

ssize_t write_parts(int number, const iovec* parts, std::size_t count) {
  std::string bytes;
  for (std::size_t i = 0; i < count; ++i) bytes.append(static_cast<const char*>(parts[i].iov_base), parts[i].iov_len);
  return rank_send(number, bytes.data(), bytes.size(), 0);
}

int control_socket(int number, int what, long argument) {
  RankSockets* sockets = sockets_of(number);
  switch (what) {
    case F_GETFL: return O_RDWR | (sockets->is_nonblocking(number) ? O_NONBLOCK : 0);
    case F_SETFL: sockets->set_nonblocking(number, (argument & O_NONBLOCK) != 0); return 0;
    case F_GETFD:
    case F_SETFD: return 0;
    case F_DUPFD:
    case F_DUPFD_CLOEXEC: return sockets->duplicate(number, static_cast<int>(argument));
    default: refuse_socket_call("fcntl (of a socket between ranks) with a command about something else than flags");
  }
}

int request_of_socket(int number, unsigned long what, void* argument) {
  RankSockets* sockets = sockets_of(number);
  if (what == FIONBIO) {
    sockets->set_nonblocking(number, *static_cast<const int*>(argument) != 0);
    return 0;
  }
  if (what != FIONREAD) return fail_with(ENOTTY);
  *static_cast<int*>(argument) = static_cast<int>(sockets->readable_bytes(number));
  return 0;
}

InterposerList socket_interposers() {
  return {{"socket", function_address(rank_socket)},
          {"socketpair", function_address(rank_socketpair)},
          {"bind", function_address(rank_bind)},
          {"listen", function_address(rank_listen)},
          {"accept", function_address(rank_accept)},
          {"accept4", function_address(rank_accept4)},
          {"connect", function_address(rank_connect)},
          {"__connect", function_address(rank_connect)},
          {"getsockname", function_address(rank_getsockname)},
          {"getpeername", function_address(rank_getpeername)},
          {"recv", function_address(rank_recv)},
          {"__recv_chk", function_address(rank_recv_checked)},
          {"recvfrom", function_address(rank_recvfrom)},
          {"__recvfrom_chk", function_address(rank_recvfrom_checked)},
          {"recvmsg", function_address(rank_recvmsg)},
          {"send", function_address(rank_send)},
          {"__send", function_address(rank_send)},
          {"sendto", function_address(rank_sendto)},
          {"sendmsg", function_address(rank_sendmsg)},
          {"shutdown", function_address(rank_shutdown)},
          {"setsockopt", function_address(rank_setsockopt)},
          {"getsockopt", function_address(rank_getsockopt)},
          {"dup2", function_address(rank_dup2)},
          {"dup3", function_address(rank_dup3)},
          {blind[0].name, function_address(refuse_sockets<0>)},
          {blind[1].name, function_address(refuse_sockets<1>)},
          {blind[2].name, function_address(refuse_sockets<2>)}};
}

}  // namespace rehearse::smpi
