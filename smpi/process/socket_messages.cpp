// SPDX-License-Identifier: MIT
//
// See socket_messages.hpp.
#include "smpi/process/socket_messages.hpp"

#include <sys/socket.h>

#include <cerrno>

#include "simcore/actor.hpp"
#include "smpi/abi/dead_stack.hpp"
#include "smpi/library.hpp"
#include "smpi/process/rank_threads.hpp"

namespace rehearse::smpi {

int failed_call(int error) {
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

void let_others_run(ContextId context, std::optional<ActorId> from) {
  while (others_can_run() && !look_for(context, from, false))
    if (!yield_thread()) return;
}

ConnectionRequest take_request(ContextId context) {
  const Post post = socket_receive(context, std::nullopt);
  const Completion& got = ask(post).completions.front();
  ConnectionRequest request{got.source, static_cast<std::uint32_t>(got.tag), {}};
  request.name =
      SocketName(reinterpret_cast<const sockaddr*>(got.data.data()), static_cast<socklen_t>(got.data.size()));
  clear_dead_stack();
  return request;
}

}  // namespace rehearse::smpi
