// SPDX-License-Identifier: MIT
//
// See sockets.hpp.
#include "smpi/process/sockets.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <utility>

#include "mpi.h"
#include "simcore/actor.hpp"
#include "simcore/support/format.hpp"
#include "smpi/abi/dead_stack.hpp"
#include "smpi/library.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/ports.hpp"
#include "smpi/process/interposers.hpp"
#include "smpi/process/name_question.hpp"
#include "smpi/process/rank_threads.hpp"
#include "smpi/report.hpp"

namespace rehearse::smpi {
namespace {

enum class SocketMessage : Tag { bytes = 0, end = 1, join = 2 };

// Ports that bind() chooses, as those of Linux.
constexpr std::uint32_t first_port = 32768, port_count = 28232, ports_per_rank = 61;

int with_errno(int error) {
  errno = error;
  return -1;
}

void send_on(ContextId context, ActorId to, Tag tag, std::span<const std::byte> data) {
  Send send;
  send.request = library().start_request();
  send.context = context;
  send.destination = to;
  send.tag = tag;
  send.mode = SendMode::buffered;
  send.blocking = true;
  send.data = data;
  ask(send);
  clear_dead_stack();
}

void send_kind(ContextId context, ActorId to, SocketMessage kind) { send_on(context, to, static_cast<Tag>(kind), {}); }

Post socket_receive(ContextId context, std::optional<ActorId> from) {
  Post post;
  post.request = library().start_request();
  post.pattern = {context, from, std::nullopt};
  post.capacity_bytes = ~std::uint64_t{0};
  post.blocking = true;
  return post;
}

bool look_for(ContextId context, std::optional<ActorId> from, bool waits) {
  Probe probe;
  probe.pattern = {context, from, std::nullopt};
  probe.blocking = waits;
  const bool is_there = ask(probe).flag;
  clear_dead_stack();
  return is_there;
}

// Other threads of the rank run before it waits for the message.
void let_others_run(ContextId context, std::optional<ActorId> from) {
  while (others_can_run() && !look_for(context, from, false))
    if (!yield_thread()) return;
}

// The request of a connection: the tag is the number of the connection, the data the address of the client.
struct ConnectionRequest {
  ActorId client;
  std::uint32_t number = 0;
  SocketName name;
};

ConnectionRequest take_request(ContextId context) {
  let_others_run(context, std::nullopt);
  const Post post = socket_receive(context, std::nullopt);
  const Completion& got = ask(post).completions.front();
  ConnectionRequest request{got.source, static_cast<std::uint32_t>(got.tag), {}};
  request.name =
      SocketName(reinterpret_cast<const sockaddr*>(got.data.data()), static_cast<socklen_t>(got.data.size()));
  clear_dead_stack();
  return request;
}

// "RANK.NUMBER" of a listening socket.
bool read_listener(const std::string& text, ActorId& owner, std::uint32_t& number) {
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, owner.value);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != '.') return false;
  const auto second = std::from_chars(first.ptr + 1, end, number);
  return second.ec == std::errc() && second.ptr == end;
}

std::string listener_text(std::uint32_t number) { return fmt::format("{}.{}", current_actor().value, number); }

bool is_explored() { return this_rank().world->files != nullptr; }

void note_bytes() {
  if (is_explored())
    report_outcomes_left_out("the bytes on a socket, of which each read may get fewer than in the explored executions");
}

}  // namespace

bool has_sockets() { return this_rank().world->name_server.has_value(); }

RankSockets* sockets_of(int number) {
  auto* sockets = find_per_rank<RankSockets>();
  return sockets != nullptr && sockets->contains(number) ? sockets : nullptr;
}

void close_sockets() {
  if (auto* sockets = find_per_rank<RankSockets>()) sockets->close_all();
}

int RankSockets::add(Socket socket) {
  int number = first_number;
  if (is_explored()) {
    while (sockets_.contains(number)) ++number;
    if (number == end_number) return with_errno(EMFILE);
  } else {
    number = ::socket(socket.family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (number < 0) return -1;
  }
  sockets_.insert_or_assign(number, std::move(socket));
  return number;
}

int RankSockets::open(int family, int type, int protocol) {
  constexpr int flags = SOCK_NONBLOCK | SOCK_CLOEXEC;
  const bool is_ours = family == AF_INET || family == AF_INET6 || family == AF_UNIX;
  if (!is_ours || (type & ~flags) != SOCK_STREAM) {
    if (!is_explored()) return ::socket(family, type, protocol);
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
  Socket& socket = sockets_.at(number);
  if (name.family() != socket.family) return with_errno(EAFNOSUPPORT);
  if (socket.state != State::fresh) return with_errno(EINVAL);
  socket.own = name;
  if (name.port() == 0) socket.own.set_port(free_port());
  return socket.own.service().empty() ? with_errno(EADDRNOTAVAIL) : 0;
}

int RankSockets::listen(int number) {
  Socket& socket = sockets_.at(number);
  if (socket.state == State::listening) return 0;
  if (socket.state != State::fresh) return with_errno(EINVAL);
  if (socket.own.service().empty()) {
    if (socket.family == AF_UNIX) return with_errno(EINVAL);
    socket.own = SocketName::here(socket.family, free_port());
  }
  const std::string service = socket.own.service();
  const std::uint32_t listener = listeners_++;
  if (ask_name_server(NameQuestion::publish, service, listener_text(listener)).error != MPI_SUCCESS)
    return with_errno(EADDRINUSE);
  socket.state = State::listening;
  socket.service = service;
  socket.listener = listener;
  return 0;
}

int RankSockets::accept(int number, SocketName& peer, int flags) {
  const Socket& listener = sockets_.at(number);
  if (listener.state != State::listening) return with_errno(EINVAL);
  const ContextId requests = meeting_context(current_actor(), listener.listener, MeetingStep::socket);
  if (listener.is_nonblocking && !look_for(requests, std::nullopt, false)) return with_errno(EAGAIN);
  const Waiting waiting(*this, "accept", number);
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
  Socket& socket = sockets_.at(number);
  if (socket.state == State::connected) return with_errno(EISCONN);
  if (socket.state == State::listening) return with_errno(EINVAL);
  const Waiting waiting(*this, "connect", number);
  const std::string service = to.service();
  NameAnswer answer{MPI_ERR_NAME, {}};
  if (!service.empty()) answer = ask_name_server(NameQuestion::look_up, service, "");
  ActorId owner;
  std::uint32_t listener = 0;
  if (answer.error != MPI_SUCCESS || !read_listener(answer.port, owner, listener)) {
    if (is_explored())
      fail_rank(FailureKind::unsupported, "unsupported.function", "connect (to an address at which no rank listens)");
    const int result = ::connect(number, reinterpret_cast<const sockaddr*>(to.bytes().data()),
                                 static_cast<socklen_t>(to.bytes().size()));
    const int error = errno;
    if (result == 0) sockets_.erase(number);  // from now on it is the kernel's
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
  Socket& socket = sockets_.at(number);
  if (socket.state != State::connected) return with_errno(ENOTCONN);
  if (socket.has_ended) return with_errno(EPIPE);
  if (bytes == 0) return 0;
  note_bytes();
  send_on(socket.gives, socket.peer, static_cast<Tag>(SocketMessage::bytes),
          {static_cast<const std::byte*>(from), bytes});
  return static_cast<std::ptrdiff_t>(bytes);
}

bool RankSockets::take_message(Socket& socket, bool may_wait) {
  if (!may_wait && !look_for(socket.takes, socket.peer, false)) return false;
  let_others_run(socket.takes, socket.peer);
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
  Socket& socket = sockets_.at(number);
  if (socket.state != State::connected) return with_errno(ENOTCONN);
  if (bytes == 0) return 0;
  note_bytes();
  const Waiting waiting(*this, "recv", number);
  const std::size_t wanted = flags.is_whole ? bytes : 1;
  while (socket.received.size() - socket.taken < wanted && !socket.is_ended && !socket.is_deaf)
    if (!take_message(socket, flags.may_wait && !socket.is_nonblocking)) break;
  const std::size_t got = std::min(bytes, socket.received.size() - socket.taken);
  if (got == 0) return socket.is_ended || socket.is_deaf ? 0 : with_errno(EAGAIN);
  std::memcpy(to, socket.received.data() + socket.taken, got);
  if (!flags.stays) socket.taken += got;
  return static_cast<std::ptrdiff_t>(got);
}

std::size_t RankSockets::readable_bytes(int number) {
  Socket& socket = sockets_.at(number);
  if (socket.state != State::connected) return 0;
  while (!socket.is_ended && take_message(socket, false)) {
  }
  return socket.received.size() - socket.taken;
}

void RankSockets::end_writing(Socket& socket) {
  if (!std::exchange(socket.has_ended, true)) send_kind(socket.gives, socket.peer, SocketMessage::end);
}

int RankSockets::shut_down(int number, int how) {
  Socket& socket = sockets_.at(number);
  if (socket.state != State::connected) return with_errno(ENOTCONN);
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
  Socket socket = std::move(sockets_.at(number));
  sockets_.erase(number);
  if (socket.state == State::connected) end_writing(socket);
  if (socket.state == State::listening) close_listener(socket);
  return is_explored() ? 0 : ::close(number);
}

void RankSockets::close_all() {
  while (!sockets_.empty()) close(sockets_.begin()->first);
}

const SocketName* RankSockets::peer_name(int number) const {
  const Socket& socket = sockets_.at(number);
  return socket.state == State::connected ? &socket.peer_name : nullptr;
}

bool RankSockets::can_read(int number) {
  const Socket& socket = sockets_.at(number);
  if (socket.state == State::listening)
    return look_for(meeting_context(current_actor(), socket.listener, MeetingStep::socket), std::nullopt, false);
  if (socket.state != State::connected) return false;
  if (socket.received.size() > socket.taken || socket.is_ended || socket.is_deaf) return true;
  return look_for(socket.takes, socket.peer, false);
}

bool RankSockets::can_write(int number) const { return sockets_.at(number).state == State::connected; }

void RankSockets::wait_until_readable(int number) {
  const Waiting waiting(*this, "poll", number);
  const Socket& socket = sockets_.at(number);
  if (socket.state == State::listening)
    look_for(meeting_context(current_actor(), socket.listener, MeetingStep::socket), std::nullopt, true);
  else if (!can_read(number)) look_for(socket.takes, socket.peer, true);
}

std::string RankSockets::waiting_call() const {
  return waiting_ == nullptr ? "" : fmt::format("{}({})", waiting_, waiting_number_);
}

JoinedSocket RankSockets::join(int number) {
  JoinedSocket answer;
  Socket& socket = sockets_.at(number);
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
    take_message(socket, true);
  if (socket.received.size() > socket.taken) return with(has_data);
  if (socket.offered_joins <= socket.joins) return with(is_closed);
  ++socket.joins;
  return with(ready);
}

}  // namespace rehearse::smpi
