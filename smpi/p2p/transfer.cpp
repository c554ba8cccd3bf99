// SPDX-License-Identifier: MIT
//
// See transfer.hpp.
#include "smpi/p2p/transfer.hpp"

#include <optional>

#include "simcore/actor.hpp"
#include "smpi/buffer_room.hpp"
#include "smpi/buffers/pending.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/datatype/pack.hpp"
#include "smpi/datatype/packed_regions.hpp"
#include "smpi/error.hpp"
#include "smpi/failure/failures.hpp"
#include "smpi/folding.hpp"
#include "smpi/library.hpp"
#include "smpi/p2p/buffered.hpp"
#include "smpi/request/withheld.hpp"

namespace rehearse::smpi {

namespace {

// A message to or from MPI_PROC_NULL moves no data (MPI 4.1, 3.10), so it needs neither a type nor a buffer.
bool needs_no_data(int peer, MPI_Datatype datatype) { return peer == MPI_PROC_NULL && datatype == MPI_DATATYPE_NULL; }

}  // namespace

Transfer checked_send(Arguments& check, const SendArguments& arguments, SendMode mode) {
  check.count(arguments.count);
  const bool has_data = !needs_no_data(arguments.destination, arguments.datatype);
  const Datatype* type = check.type(has_data ? arguments.datatype : MPI_BYTE);
  check.destination(arguments.destination).tag(arguments.tag);
  if (!has_data) return {nullptr, 0, DatatypeRef(type), arguments.destination, arguments.tag, mode};
  if (arguments.destination != MPI_PROC_NULL) check.buffer(arguments.buffer, arguments.count, type);
  return {const_cast<void*>(arguments.buffer),
          arguments.count,
          DatatypeRef(type),
          arguments.destination,
          arguments.tag,
          mode};
}

Transfer checked_receive(Arguments& check, const ReceiveArguments& arguments) {
  check.count(arguments.count);
  const bool has_data = !needs_no_data(arguments.source, arguments.datatype);
  const Datatype* type = check.type(has_data ? arguments.datatype : MPI_BYTE);
  check.source(arguments.source).tag_pattern(arguments.tag);
  if (!has_data) return {nullptr, 0, DatatypeRef(type), arguments.source, arguments.tag, SendMode::standard};
  if (arguments.source != MPI_PROC_NULL) check.buffer(arguments.buffer, arguments.count, type);
  return {arguments.buffer, arguments.count, DatatypeRef(type), arguments.source, arguments.tag, SendMode::standard};
}

Pattern pattern_of(const Communicator& communicator, int source, int tag) {
  Pattern pattern;
  pattern.context = communicator.message_context();
  if (source != MPI_ANY_SOURCE) pattern.source = communicator.peer(source);
  if (tag != MPI_ANY_TAG) pattern.tag = tag;
  return pattern;
}

namespace {

// The data in its place if it is contiguous, otherwise a copy in `packed`.
std::span<const std::byte> data_of(const Transfer& transfer, std::optional<PackedData>& packed) {
  const Datatype& type = *transfer.type;
  if (type.contiguous() && transfer.count > 0 && type.size() > 0)
    return {static_cast<const std::byte*>(transfer.buffer) + type.layout()[0].offset,
            static_cast<std::size_t>(type.size() * transfer.count)};
  packed.emplace(type, transfer.count, transfer.buffer);
  return packed->bytes();
}

}  // namespace

// Each operation is built in its final place. A copy would have to wait for the stores into the original, which is
// slow.
RequestId ask_send(const MatchingSpace& space, const Transfer& transfer, bool blocking) {
  note_send(space, transfer.peer);
  std::optional<PackedData> packed;
  Operation operation(std::in_place_type<Send>);
  Send& send = *std::get_if<Send>(&operation);
  send.request = library().start_request();
  send.context = space.context;
  send.destination = space.communicator.peer(transfer.peer);
  send.tag = transfer.tag;
  send.mode = transfer.mode;
  send.blocking = blocking;
  send.data = without_folded(data_of(transfer, packed));
  look_at(send.data);
  send.signature = signature_of(*transfer.type, transfer.count);
  if (send.signature == 0 && is_packed_type(*transfer.type))
    if (const PackedRegions* regions = find_packed_regions())
      send.signature = regions->number_of(static_cast<const std::byte*>(transfer.buffer), transfer.count);
  send.origin = origin_of_call();
  ask(operation);
  return send.request;
}

void start_pieces(Request& request, const MatchingSpace& space, const std::vector<Transfer>& sends,
                  const std::vector<Transfer>& receives, bool sends_in_use) {
  std::vector<Piece>& pieces = request.more().pieces;
  pieces.clear();
  request.ending = request.extra->has_receive_status ? ending_of_nothing(Request::Kind::receive) : Ending{};
  for (const Transfer& send : sends)
    if (send.peer != MPI_PROC_NULL) {
      const BufferToken buffer = sends_in_use ? begin_use(use_of(send, false)) : 0;
      pieces.push_back({ask_send(space, send, false), false, false, {}, buffer});
    }
  for (const Transfer& receive : receives)
    if (receive.peer != MPI_PROC_NULL) {
      const BufferToken buffer = begin_use(use_of(receive, true));
      pieces.push_back({ask_receive(space, receive, false).request, true, false, receive, buffer});
    }
  request.state = pieces.empty() ? Request::State::complete : Request::State::pending;
  if (pieces.empty()) end_uses(request);
}

int start_transfer(Request& request) {
  const Transfer& transfer = request.transfer;
  if (transfer.peer == MPI_PROC_NULL) {
    request.ending = ending_of_nothing(request.kind);
    request.state = Request::State::complete;
    return MPI_SUCCESS;
  }
  if (request.persistent && transfer.count > 0 && transfer.type->size() > 0) {
    const std::string problem = find_memory_error(transfer.buffer, transfer.count, *transfer.type);
    if (!problem.empty())
      return error_on(request.communicator->handle, MPI_ERR_BUFFER, "the buffer" + problem, "argument.buffer");
  }
  failure_point();
  // The error comes with the completion. A receive from any source may still get a message.
  if (const Failures* known = failures(); known != nullptr && transfer.peer != MPI_ANY_SOURCE)
    if (const Interruption why = known->known(watch_of(request))) {
      request.trouble = {why.error, why.text, {}, {}};
      request.state = Request::State::complete;
      return MPI_SUCCESS;
    }
  if (transfer.mode == SendMode::buffered) {
    const int error = take_buffer(request.communicator->handle, transfer.type->size() * transfer.count);
    if (error != MPI_SUCCESS) return error;
  }
  request.buffers[0] = begin_use(use_of(transfer, request.kind == Request::Kind::receive));
  request.state = Request::State::pending;
  const bool sends = request.kind == Request::Kind::send;
  if (sends && withholds(request)) return MPI_SUCCESS;
  request.id = sends ? ask_send(MatchingSpace(*request.communicator), transfer, false)
                     : ask_receive(MatchingSpace(*request.communicator), transfer, false).request;
  return MPI_SUCCESS;
}

}  // namespace rehearse::smpi
