// SPDX-License-Identifier: MIT
//
// See abi/handle_names.hpp. Communicators and datatypes have descriptions of their own; everything
// else is called by the call that made it, or by what it is for.
#include "smpi/abi/handle_names.hpp"

#include "simcore/actor.hpp"
#include "smpi/communicator/communicator.hpp"
#include "smpi/datatype/table.hpp"
#include "smpi/op/op.hpp"
#include "smpi/request/request.hpp"

namespace rehearse::smpi {
namespace {

template <class Handle>
Handle as_handle(std::uint64_t value) {
  return reinterpret_cast<Handle>(static_cast<std::uintptr_t>(value));
}

std::string peer_text(const Request& request) {
  const int peer = request.transfer.peer;
  if (peer == MPI_ANY_SOURCE) return "any rank";
  if (peer == MPI_PROC_NULL) return "MPI_PROC_NULL";
  return "rank " + std::to_string(peer);
}

std::string name_of_request(const Request& request) {
  switch (request.kind) {
    case Request::Kind::send:
      return "send to " + peer_text(request);
    case Request::Kind::receive:
      return "receive from " + peer_text(request);
    case Request::Kind::collective:
      return "collective on " + request.communicator->description();
  }
  return {};
}

}  // namespace

std::string name_of_handle(Kind kind, std::uint64_t value) {
  if (!in_actor()) return {};
  switch (kind) {
    case Kind::comm: {
      const Communicator* communicator = find_communicator(as_handle<MPI_Comm>(value));
      return communicator == nullptr ? std::string() : communicator->description();
    }
    case Kind::datatype: {
      const Datatype* type = find_datatype(as_handle<MPI_Datatype>(value));
      return type == nullptr ? std::string() : describe(*type);
    }
    case Kind::op: {
      const Op* op = find_op(as_handle<MPI_Op>(value));
      return op == nullptr ? std::string() : op->name();
    }
    case Kind::request: {
      const Request* request = find_request(as_handle<MPI_Request>(value));
      return request == nullptr ? std::string() : name_of_request(*request);
    }
    default:
      return {};
  }
}

}  // namespace rehearse::smpi
