// SPDX-License-Identifier: MIT
//
// The messages by which sockets of ranks are connected and carry bytes.
//
// Threads: those of the running rank; a wait lets other threads of the rank run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "simcore/operation.hpp"
#include "smpi/process/socket_names.hpp"

namespace rehearse::smpi {

// The result of a system call that fails with this errno: -1.
int failed_call(int error);

enum class SocketMessage : Tag { bytes = 0, end = 1, join = 2 };

void send_on(ContextId context, ActorId to, Tag tag, std::span<const std::byte> data);
void send_kind(ContextId context, ActorId to, SocketMessage kind);
// A blocking receive of any tag.
Post socket_receive(ContextId context, std::optional<ActorId> from);
// Whether there is a message; with `waits`, waits for it.
bool look_for(ContextId context, std::optional<ActorId> from, bool waits);
// Other threads of the rank run before it waits for the message.
void let_others_run(ContextId context, std::optional<ActorId> from);

// The request of a connection: the tag is the number of the connection, the data the address of the client.
struct ConnectionRequest {
  ActorId client;
  std::uint32_t number = 0;
  SocketName name;
};
// There is one, or the rank waits for it.
ConnectionRequest take_request(ContextId context);

}  // namespace rehearse::smpi
