// SPDX-License-Identifier: MIT
//
// See transfer.hpp.
#include "smpi/p2p/transfer.hpp"

#include "simcore/actor.hpp"
#include "smpi/abi/api.hpp"
#include "smpi/abi/call_scope.hpp"
#include "smpi/datatype/pack.hpp"
#include "smpi/library.hpp"
#include "smpi/p2p/buffered.hpp"

namespace rehearse::smpi {

Transfer checked_send(Arguments& check, const SendArguments& arguments, SendMode mode) {
  check.count(arguments.count);
  const Datatype* type = check.type(arguments.datatype);
  check.destination(arguments.destination).tag(arguments.tag);
  check.buffer(arguments.buffer, arguments.count, type);
  return {const_cast<void*>(arguments.buffer),
          arguments.count,
          DatatypeRef(type),
          arguments.destination,
          arguments.tag,
          mode};
}

Transfer checked_receive(Arguments& check, const ReceiveArguments& arguments) {
  check.count(arguments.count);
  const Datatype* type = check.type(arguments.datatype);
  check.source(arguments.source).tag_pattern(arguments.tag);
  check.buffer(arguments.buffer, arguments.count, type);
  return {arguments.buffer, arguments.count, DatatypeRef(type),
          arguments.source, arguments.tag,   SendMode::standard};
}

Pattern pattern_of(const Communicator& communicator, int source, int tag) {
  Pattern pattern;
  pattern.context = communicator.message_context();
  if (source != MPI_ANY_SOURCE) pattern.source = communicator.peer(source);
  if (tag != MPI_ANY_TAG) pattern.tag = tag;
  return pattern;
}

RequestId ask_send(const Meeting& meeting, const Transfer& transfer, bool blocking) {
  const PackedData data(*transfer.type, transfer.count, transfer.buffer);
  Send send;
  send.request = library().start_request();
  send.context = meeting.context;
  send.destination = meeting.communicator.peer(transfer.peer);
  send.tag = transfer.tag;
  send.mode = transfer.mode;
  send.blocking = blocking;
  send.data = data.bytes();
  send.signature = signature_of(*transfer.type, transfer.count);
  if (const CallScope* scope = CallScope::innermost(); scope != nullptr)
    send.origin = {functions()[scope->function()].name,
                   reinterpret_cast<std::uintptr_t>(scope->caller())};
  ask(send);
  return send.request;
}

Posting ask_receive(const Meeting& meeting, const Transfer& transfer, bool blocking) {
  Post post;
  post.request = library().start_request();
  post.pattern = pattern_of(meeting.communicator, transfer.peer, transfer.tag);
  post.pattern.context = meeting.context;
  post.capacity_bytes = static_cast<std::uint64_t>(transfer.type->size() * transfer.count);
  post.blocking = blocking;
  return {post.request, ask(post)};
}

void start_pieces(Request& request, const Meeting& meeting, const std::vector<Transfer>& sends,
                  const std::vector<Transfer>& receives) {
  std::vector<Piece>& pieces = request.more().pieces;
  pieces.clear();
  request.ending = request.extra->tells_source ? ending_of_nothing(Request::Kind::receive) : Ending{};
  for (const Transfer& send : sends)
    if (send.peer != MPI_PROC_NULL) pieces.push_back({ask_send(meeting, send, false), false, false, {}});
  for (const Transfer& receive : receives)
    if (receive.peer != MPI_PROC_NULL)
      pieces.push_back({ask_receive(meeting, receive, false).request, true, false, receive});
  request.state = pieces.empty() ? Request::State::complete : Request::State::pending;
}

int start_transfer(Request& request) {
  const Transfer& transfer = request.transfer;
  if (transfer.peer == MPI_PROC_NULL) {
    request.ending = ending_of_nothing(request.kind);
    request.state = Request::State::complete;
    return MPI_SUCCESS;
  }
  if (transfer.mode == SendMode::buffered) {
    const int error =
        take_buffer(request.communicator->handle, transfer.type->size() * transfer.count);
    if (error != MPI_SUCCESS) return error;
  }
  request.id = request.kind == Request::Kind::send
                   ? ask_send(Meeting(*request.communicator), transfer, false)
                   : ask_receive(Meeting(*request.communicator), transfer, false).request;
  request.state = Request::State::pending;
  return MPI_SUCCESS;
}

}  // namespace rehearse::smpi
