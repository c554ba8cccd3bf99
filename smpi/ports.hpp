// SPDX-License-Identifier: MIT
//
// The contexts of messages by which processes connect: of ports (MPI_Comm_connect and MPI_Comm_accept), and of sockets
// between ranks. A port, a listening socket or a connection is known by the rank that made it and a number there.
#pragma once

#include <cstdint>

#include "simcore/ids.hpp"

namespace rehearse::smpi {

enum class MeetingStep : std::uint64_t {
  request,      // to a port
  offer,        // its answer
  answer,       // the confirmation
  socket,       // a connection to a listening socket
  from_client,  // bytes on a connection, from the rank that connected
  from_server,  // the other direction
};

ContextId meeting_context(ActorId owner, std::uint32_t number, MeetingStep step);

// Whether messages of this context belong to such a meeting. A request that nobody accepted, because its call has given
// up, is no message of the program. Nor are bytes on a socket that nobody read.
bool is_of_meeting(ContextId context);

}  // namespace rehearse::smpi
