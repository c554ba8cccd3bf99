// SPDX-License-Identifier: MIT
//
// See sockets.hpp.
#include "smpi/process/sockets.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <utility>

#include "mpi.h"
#include "simcore/actor.hpp"
#include "simcore/support/format.hpp"
#include "smpi/abi/dead_stack.hpp"
#include "smpi/driver_services.hpp"
#include "smpi/failure_plan.hpp"
#include "smpi/library.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/ports.hpp"
#include "smpi/process/interposers.hpp"
#include "smpi/process/name_question.hpp"
#include "smpi/process/outside_connection.hpp"
#include "smpi/process/rank_threads.hpp"
#include "smpi/process/socket_messages.hpp"
#include "smpi/process/socket_waiting.hpp"
#include "smpi/process/thread_waits.hpp"
#include "smpi/report.hpp"

namespace rehearse::smpi {
namespace {

// Ports that bind() chooses, as those of Linux.
constexpr std::uint32_t first_port = 32768, port_count = 28232, ports_per_rank = 61;

// "RANK.NUMBER" of a listening socket.
bool read_listener(const std::string& text, ActorId& owner, std::uint32_t& number) {
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, owner.value);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != '.') return false;
  const auto second = std::from_chars(first.ptr + 1, end, number);
  return second.ec == std::errc() && second.ptr == end;
}

std::string listener_text(std::uint32_t number) { return fmt::format("{}.{}", current_actor().value, number); }

void note_bytes() {
  if (sockets_are_explored())
    report_outcomes_left_out("the bytes on a socket, of which each read may get fewer than in the explored executions");
}

}  // namespace

bool sockets_are_explored() { return this_rank().world->files != nullptr; }

bool has_sockets() { return this_rank().world->name_server.has_value(); }

RankSockets* sockets_of(int number) {
  auto* sockets = find_per_rank<RankSockets>();
  return sockets != nullptr && sockets->contains(number) ? sockets : nullptr;
}

void close_sockets() {
  if (auto* sockets = find_per_rank<RankSockets>()) sockets->close_all();
}

RankSockets::Call::Call(RankSockets& sockets, int number, const char* function)
    : sockets_(sockets), may_wait_(function != nullptr) {
  const auto found = sockets.sockets_.find(number);
  if (found == sockets.sockets_.end()) {
    errno = EBADF;
    return;
  }
  socket_ = found->second;
  ++socket_->calls;
  if (!may_wait_) return;
  sockets.waiting_ = function;
  sockets.waiting_number_ = number;
}

RankSockets::Call::~Call() {
  if (socket_ == nullptr) return;
  if (may_wait_) sockets_.waiting_ = nullptr;
  --socket_->calls;
  const int error = errno;
  sockets_.end_if_unused(*socket_);
  errno = error;
}

RankSockets::Patience RankSockets::patience_of(const Socket& socket, const char* function) {
  if (socket.is_nonblocking || socket.limits.receive < 0) return {function, 0};
  if (socket.limits.receive == 0) return {function, no_limit};
  return {function, clock_seconds() + static_cast<double>(socket.limits.receive) * 1e-6};
}

bool RankSockets::await_message(ContextId context, std::optional<ActorId> from, const Patience& patience) {
  if (patience.until == no_limit) {
    let_others_run(context, from);
    return true;
  }
  const Awaited question{.probed = Pattern{context, from, std::nullopt}};
  std::int64_t pause = shortest_pause_ns;
  while (!look_for(context, from, false)) {
    const double left = patience.until <= 0 ? 0 : patience.until - clock_seconds();
    if (left <= 0) return false;
    if (sockets_are_explored())
      fail_rank(FailureKind::unsupported, "unsupported.function",
                fmt::format("{} (of a socket, with a limit of time)", patience.function));
    if (threads_wait_apart() && has_threads()) {
      wait_for({.function = patience.function, .until = moment_in(left), .question = &question});
    } else if (driver_services().threads_wait_apart && !has_threads()) {
      ask(Await{std::span(&question, 1), Duration::from_seconds(left)});
    } else {
      sleep_for(0, std::min(pause, static_cast<std::int64_t>(std::ceil(std::min(left, 1.0) * 1e9))));
      pause = std::min(pause * 2, longest_pause_ns);
    }
    clear_dead_stack();
  }
  return true;
}

int RankSockets::open(int family, int type, int protocol) {
  constexpr int flags = SOCK_NONBLOCK | SOCK_CLOEXEC;
  const bool is_ours = family == AF_INET || family == AF_INET6 || family == AF_UNIX;
  if (!is_ours || (type & ~flags) != SOCK_STREAM) {
    if (!sockets_are_explored()) return ::socket(family, type, protocol);
    fail_rank(FailureKind::unsupported, "unsupported.function", "socket (of another kind than a stream)");
  }
  Socket socket;
  socket.family = family;
  socket.is_nonblocking = (type & SOCK_NONBLOCK) != 0;
  socket.own = SocketName::unnamed(family);
  return add(std::move(socket));
}

std::uint16_t RankSockets::free_port() {
  return static_cast<std::uint16_t>(first_port + (current_actor().value * ports_per_rank + ports_++) % port_count);
}

int RankSockets::bind(int number, const SocketName& name) {
  Socket& socket = at(number);
  if (name.family() != socket.family) return failed_call(EAFNOSUPPORT);
  if (socket.state != State::fresh) return failed_call(EINVAL);
  socket.own = name;
  if (name.port() == 0) socket.own.set_port(free_port());
  return socket.own.service().empty() ? failed_call(EADDRNOTAVAIL) : 0;
}

int RankSockets::listen(int number) {
  const Call call(*this, number);
  if (!call) return -1;
  Socket& socket = *call;
  if (socket.state == State::listening) return 0;
  if (socket.state != State::fresh) return failed_call(EINVAL);
  if (failure_plan().is_possible())
    fail_rank(FailureKind::unsupported, "unsupported.function", "listen (of a socket, where processes can fail)");
  if (socket.own.service().empty()) {
    if (socket.family == AF_UNIX) return failed_call(EINVAL);
    socket.own = SocketName::here(socket.family, free_port());
  }
  const std::string service = socket.own.service();
  const std::uint32_t listener = listeners_++;
  if (ask_name_server(NameQuestion::publish, service, listener_text(listener)).error != MPI_SUCCESS)
    return failed_call(EADDRINUSE);
  socket.state = State::listening;
  socket.service = service;
  socket.listener = listener;
  return 0;
}

int RankSockets::accept(int number, SocketName& peer, int flags) {
  const Call call(*this, number, "accept");
  if (!call) return -1;
  const Socket& listener = *call;
  if (listener.state != State::listening) return failed_call(EINVAL);
  const ContextId requests = meeting_context(current_actor(), listener.listener, MeetingStep::socket);
  if (!await_message(requests, std::nullopt, patience_of(listener, "accept"))) return failed_call(EAGAIN);
  const ConnectionRequest request = take_request(requests);
  Socket socket;
  socket.family = listener.family;
  socket.is_nonblocking = (flags & SOCK_NONBLOCK) != 0;
  socket.own = listener.family == AF_UNIX ? listener.own : SocketName::here(listener.family, listener.own.port());
  socket.peer_name = peer = request.name;
  socket.state = State::connected;
  socket.peer = request.client;
  socket.gives = meeting_context(request.client, request.number, MeetingStep::from_server);
  socket.takes = meeting_context(request.client, request.number, MeetingStep::from_client);
  return add(std::move(socket));
}

int RankSockets::connect(int number, const SocketName& to) {
  const Call call(*this, number, "connect");
  if (!call) return -1;
  Socket& socket = *call;
  if (socket.state == State::connected) return failed_call(EISCONN);
  if (socket.state == State::listening) return failed_call(EINVAL);
  const std::string service = to.service();
  NameAnswer answer{MPI_ERR_NAME, {}};
  if (!service.empty() && has_sockets()) answer = ask_name_server(NameQuestion::look_up, service, "");
  ActorId owner;
  std::uint32_t listener = 0;
  if (answer.error != MPI_SUCCESS || !read_listener(answer.port, owner, listener)) {
    if (sockets_are_explored()) return has_sockets() ? refuse_outside() : connect_outside(socket.family, to);
    const int result = ::connect(number, reinterpret_cast<const sockaddr*>(to.bytes().data()),
                                 static_cast<socklen_t>(to.bytes().size()));
    const int error = errno;
    // From now on it is the kernel's.
    if (result == 0) std::erase_if(sockets_, [&](const auto& one) { return one.second.get() == &socket; });
    errno = error;
    return result;
  }
  if (socket.family != AF_UNIX && socket.own.port() == 0) socket.own = SocketName::here(socket.family, free_port());
  socket.peer_name = to;
  const std::uint32_t connection = connections_++;
  socket.state = State::connected;
  socket.peer = owner;
  socket.gives = meeting_context(current_actor(), connection, MeetingStep::from_client);
  socket.takes = meeting_context(current_actor(), connection, MeetingStep::from_server);
  const std::string name(socket.own.bytes());
  send_on(meeting_context(owner, listener, MeetingStep::socket), owner, static_cast<Tag>(connection),
          std::as_bytes(std::span(name)));
  return 0;
}

std::ptrdiff_t RankSockets::write(int number, const void* from, std::size_t bytes) {
  const Call call(*this, number);
  if (!call) return -1;
  Socket& socket = *call;
  if (socket.state != State::connected) return failed_call(ENOTCONN);
  if (socket.has_ended) return failed_call(EPIPE);
  if (bytes == 0) return 0;
  note_bytes();
  send_on(socket.gives, socket.peer, static_cast<Tag>(SocketMessage::bytes),
          {static_cast<const std::byte*>(from), bytes});
  return static_cast<std::ptrdiff_t>(bytes);
}

bool RankSockets::take_message(Socket& socket, const Patience& patience) {
  if (!await_message(socket.takes, socket.peer, patience)) return false;
  const Post post = socket_receive(socket.takes, socket.peer);
  const Completion& got = ask(post).completions.front();
  switch (static_cast<SocketMessage>(got.tag)) {
    case SocketMessage::bytes:
      socket.received.erase(socket.received.begin(),
                            socket.received.begin() + static_cast<std::ptrdiff_t>(std::exchange(socket.taken, 0)));
      socket.received.insert(socket.received.end(), got.data.begin(), got.data.end());
      break;
    case SocketMessage::end: socket.is_ended = true; break;
    case SocketMessage::join: ++socket.offered_joins;
  }
  clear_dead_stack();
  return true;
}

std::ptrdiff_t RankSockets::read(int number, void* to, std::size_t bytes, ReadFlags flags) {
  const Call call(*this, number, "recv");
  if (!call) return -1;
  Socket& socket = *call;
  if (socket.state != State::connected) return failed_call(ENOTCONN);
  if (bytes == 0) return 0;
  note_bytes();
  const std::size_t wanted = flags.is_whole ? bytes : 1;
  const Patience patience = flags.may_wait ? patience_of(socket, "recv") : Patience{"recv", 0};
  while (socket.received.size() - socket.taken < wanted && !socket.is_ended && !socket.is_deaf)
    if (!take_message(socket, patience)) break;
  const std::size_t got = std::min(bytes, socket.received.size() - socket.taken);
  if (got == 0) return socket.is_ended || socket.is_deaf ? 0 : failed_call(EAGAIN);
  std::memcpy(to, socket.received.data() + socket.taken, got);
  if (!flags.stays) socket.taken += got;
  return static_cast<std::ptrdiff_t>(got);
}

std::size_t RankSockets::readable_bytes(int number) {
  const Call call(*this, number);
  return call && (*call).state == State::connected ? take_all(*call) : 0;
}

std::size_t RankSockets::take_all(Socket& socket) {
  while (!socket.is_ended && take_message(socket, {})) {
  }
  return socket.received.size() - socket.taken;
}

void RankSockets::end_writing(Socket& socket) {
  if (!std::exchange(socket.has_ended, true)) send_kind(socket.gives, socket.peer, SocketMessage::end);
}

int RankSockets::shut_down(int number, int how) {
  const Call call(*this, number);
  if (!call) return -1;
  Socket& socket = *call;
  if (socket.state != State::connected) return failed_call(ENOTCONN);
  if (how != SHUT_RD) end_writing(socket);
  if (how != SHUT_WR) socket.is_deaf = true;
  return 0;
}

// Requests that came and were not accepted find their connection ended.
void RankSockets::close_listener(const Socket& socket) {
  ask_name_server(NameQuestion::unpublish, socket.service, listener_text(socket.listener));
  const ContextId requests = meeting_context(current_actor(), socket.listener, MeetingStep::socket);
  while (look_for(requests, std::nullopt, false)) {
    const ConnectionRequest request = take_request(requests);
    send_kind(meeting_context(request.client, request.number, MeetingStep::from_server), request.client,
              SocketMessage::end);
  }
}

int RankSockets::close(int number) {
  drop(number);
  return sockets_are_explored() ? 0 : ::close(number);
}

void RankSockets::close_all() {
  for (const auto& [number, socket] : sockets_) socket->calls = 0;
  while (!sockets_.empty()) close(sockets_.begin()->first);
}

const SocketName* RankSockets::peer_name(int number) const {
  const Socket& socket = at(number);
  return socket.state == State::connected ? &socket.peer_name : nullptr;
}

bool RankSockets::can_read(const Socket& socket) const {
  if (socket.state == State::listening)
    return look_for(meeting_context(current_actor(), socket.listener, MeetingStep::socket), std::nullopt, false);
  if (socket.state != State::connected) return false;
  if (socket.received.size() > socket.taken || socket.is_ended || socket.is_deaf) return true;
  return look_for(socket.takes, socket.peer, false);
}

bool RankSockets::can_read(int number) {
  const Call call(*this, number);
  return call && can_read(*call);
}

void RankSockets::wait_until_readable(int number) {
  const Call call(*this, number, "poll");
  if (!call) return;
  const Socket& socket = *call;
  if (socket.state == State::listening)
    look_for(meeting_context(current_actor(), socket.listener, MeetingStep::socket), std::nullopt, true);
  else if (!can_read(socket)) look_for(socket.takes, socket.peer, true);
}

std::string RankSockets::waiting_call() const {
  return waiting_ == nullptr ? "" : fmt::format("{}({})", waiting_, waiting_number_);
}

JoinedSocket RankSockets::join(int number) {
  JoinedSocket answer;
  const Call call(*this, number, "MPI_Comm_join");
  if (!call) return answer;
  Socket& socket = *call;
  using enum JoinedSocket::State;
  const auto with = [&](JoinedSocket::State state) {
    answer.state = state;
    return answer;
  };
  if (socket.state != State::connected) return with(not_connected);
  if (socket.peer == current_actor()) return with(own);
  if (socket.received.size() > socket.taken) return with(has_data);
  if (socket.is_ended || socket.has_ended) return with(is_closed);
  answer.peer = socket.peer;
  answer.meeting = (std::min(socket.gives.value, socket.takes.value) << 8) + socket.joins;
  send_kind(socket.gives, socket.peer, SocketMessage::join);
  while (socket.offered_joins <= socket.joins && !socket.is_ended && socket.received.size() == socket.taken)
    take_message(socket, {"MPI_Comm_join", no_limit});
  if (socket.received.size() > socket.taken) return with(has_data);
  if (socket.offered_joins <= socket.joins) return with(is_closed);
  ++socket.joins;
  return with(ready);
}

}  // namespace rehearse::smpi
