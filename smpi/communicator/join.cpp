// SPDX-License-Identifier: MIT
//
// MPI_Comm_join.
//
// Method: both ends of a connection between ranks know each other (smpi/process/sockets.hpp). They meet by a message on
//         the connection, behind all bytes that were written before. The context of the new intercommunicator follows
//         from the connection.
// Source: MPI 5.0, 11.10.5. The socket must be quiescent: bytes that were not read are an error.
#include <string>

#include "smpi/abi/calls.hpp"
#include "smpi/arguments.hpp"
#include "smpi/communicator/create.hpp"
#include "smpi/error.hpp"
#include "smpi/process/sockets.hpp"

namespace rehearse::smpi {
namespace {

using JoinState = JoinedSocket::State;

// Why the socket cannot be used; empty: it can.
std::string fault_of(JoinState state) {
  switch (state) {
    case JoinState::ready: return "";
    case JoinState::none: return "is no stream socket between ranks of this run";
    case JoinState::not_connected: return "is a socket that is not connected";
    case JoinState::own: return "is a connection of the calling process with itself";
    case JoinState::has_data: return "is a socket with bytes that were not read";
    case JoinState::is_closed: return "is a socket that one side has closed";
  }
  return "";
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Comm_join(int fd, MPI_Comm* intercomm) {
  Arguments check;
  check.pointer(intercomm, "intercomm");
  if (check.failed()) return check.error();
  *intercomm = MPI_COMM_NULL;
  RankSockets* sockets = sockets_of(fd);
  const JoinedSocket joined = sockets == nullptr ? JoinedSocket{} : sockets->join(fd);
  const std::string fault = fault_of(joined.state);
  if (!fault.empty()) return error(MPI_ERR_ARG, "fd " + std::to_string(fd) + " " + fault);
  const CommunicatorRef& self = communicators().self();
  const std::vector<ActorId> peer = {joined.peer};
  *intercomm = communicators().add(
      make_communicator(derive_context(joined.meeting, 0, 8), self->local_map(), "MPI_Comm_join", peer), *self);
  return MPI_SUCCESS;
}

}  // namespace rehearse::smpi::calls
