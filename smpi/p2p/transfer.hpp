// SPDX-License-Identifier: MIT
//
// Converts the arguments of a send or a receive to an Operation. Shared by the blocking, nonblocking, persistent and
// combined calls.
#pragma once

#include <vector>

#include "mpi.h"
#include "simcore/actor.hpp"
#include "simcore/operation.hpp"
#include "smpi/arguments.hpp"
#include "smpi/library.hpp"
#include "smpi/request/request.hpp"

namespace rehearse::smpi {

// The arguments of the MPI call.
struct SendArguments {
  const void* buffer;
  MPI_Count count;
  MPI_Datatype datatype;
  int destination;
  int tag;
  MPI_Comm comm;
};

struct ReceiveArguments {
  void* buffer;
  MPI_Count count;
  MPI_Datatype datatype;
  int source;
  int tag;
  MPI_Comm comm;
};

// Checks the arguments; the result may be used if `check` has not failed.
Transfer checked_send(Arguments& check, const SendArguments& arguments, SendMode mode);
Transfer checked_receive(Arguments& check, const ReceiveArguments& arguments);

// The pattern of a receive or a probe; `source` is not MPI_PROC_NULL.
Pattern pattern_of(const Communicator& communicator, int source, int tag);

// The communicator of a transfer and the context in which its messages match: by default that of the communicator.
struct MatchingSpace {
  explicit MatchingSpace(const Communicator& of) : communicator(of), context(of.message_context()) {}
  MatchingSpace(const Communicator& of, ContextId in) : communicator(of), context(in) {}
  const Communicator& communicator;
  ContextId context;
};

// Starts the Send and returns its request. `peer` is not MPI_PROC_NULL.
RequestId ask_send(const MatchingSpace& space, const Transfer& transfer, bool blocking);

// Starts the receive (a Post). Blocking: the Observation has the message.
struct Posting {
  RequestId request;
  const Observation& answer;
};
inline Posting ask_receive(const MatchingSpace& space, const Transfer& transfer, bool blocking) {
  Operation operation(std::in_place_type<Post>);
  Post& post = *std::get_if<Post>(&operation);
  post.request = library().start_request();
  post.pattern.context = space.context;
  if (transfer.peer != MPI_ANY_SOURCE) post.pattern.source = space.communicator.peer(transfer.peer);
  if (transfer.tag != MPI_ANY_TAG) post.pattern.tag = transfer.tag;
  post.capacity_bytes = static_cast<std::uint64_t>(transfer.type->size() * transfer.count);
  post.blocking = blocking;
  return {post.request, ask(operation)};
}

// Starts the messages of an inactive compound request, sends first, without those of MPI_PROC_NULL. If `sends_in_use`,
// the buffers of the sends become pending. It is false if they are also those of the receives, or if the caller
// registers them.
void start_pieces(Request& request, const MatchingSpace& space, const std::vector<Transfer>& sends,
                  const std::vector<Transfer>& receives, bool sends_in_use = true);

// Starts the send or receive of an inactive request. Returns an error class, which has been raised.
int start_transfer(Request& request);

// The result of an operation with MPI_PROC_NULL.
inline Ending ending_of_nothing(Request::Kind kind) {
  return kind == Request::Kind::receive ? Ending{MPI_PROC_NULL, MPI_ANY_TAG, 0, false} : Ending{};
}

}  // namespace rehearse::smpi
