// SPDX-License-Identifier: MIT
//
// Probes, which report a message before it is received. A matched probe also takes the message, so that no other call
// receives it.
#include <memory>
#include <utility>

#include "simcore/actor.hpp"
#include "smpi/abi/calls.hpp"
#include "smpi/buffers/pending.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/error.hpp"
#include "smpi/library.hpp"
#include "smpi/p2p/buffered.hpp"
#include "smpi/p2p/messages.hpp"
#include "smpi/p2p/transfer.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/request/withheld.hpp"

namespace rehearse::smpi {
namespace {

// Whether there is a message. If so, writes its envelope to the status.
bool probe(const Communicator& communicator, const Probe& operation, MPI_Status* status) {
  const Observation& answer = ask(operation);
  if (!answer.flag) return false;
  const Completion message = answer.completions[0];
  const auto bytes = static_cast<MPI_Count>(message.data.size());
  heard_from_others();
  note_probed(message);
  write_status(status, {communicator.peer_rank_of(message.source), message.tag, bytes, false});
  return true;
}

// Checks the arguments that all probes have. Returns whether the driver must be asked.
bool checked_probe(Arguments& check, int source, int tag) {
  check.source(source).tag_pattern(tag);
  return !check.failed() && source != MPI_PROC_NULL;
}

// Takes a message, if there is one.
bool take(Arguments& check, const Probe& operation, MPI_Message* message, MPI_Status* status) {
  const Communicator& communicator = *check.communicator();
  MPI_Status seen{};
  if (!probe(communicator, operation, &seen)) return false;
  TakenMessages& taken = taken_messages();
  TakenMessage made;
  made.number = taken.count++;
  made.communicator = check.communicator();
  made.source = seen.MPI_SOURCE;
  made.tag = seen.MPI_TAG;
  *message = taken.live.insert(made, creation_site());
  write_status(status, {seen.MPI_SOURCE, seen.MPI_TAG, bytes_in(seen), false});
  return true;
}

struct MatchedReceive {
  void* buffer;
  MPI_Count count;
  MPI_Datatype datatype;
  MPI_Message* message;
};

// Checks the arguments and creates the receive, in the state of a request that has not started.
std::unique_ptr<Request> checked_receive(Arguments& check, const MatchedReceive& arguments, TakenMessage& taken) {
  check.pointer(arguments.message, "message");
  const bool nobody = !check.failed() && *arguments.message == MPI_MESSAGE_NO_PROC;
  if (!check.failed() && !nobody) {
    const TakenMessage* found = taken_messages().live.find(*arguments.message);
    check.require(found != nullptr, MPI_ERR_REQUEST,
                  "the message is MPI_MESSAGE_NULL, was received already or never existed");
    if (found != nullptr) taken = *found;
  }
  check.count(arguments.count);
  const Datatype* type = check.type(arguments.datatype);
  check.buffer(arguments.buffer, arguments.count, type);
  auto request = std::make_unique<Request>();
  request->kind = Request::Kind::receive;
  request->communicator = nobody ? communicators().self() : taken.communicator;
  request->transfer = {arguments.buffer, arguments.count,   DatatypeRef(type), nobody ? MPI_PROC_NULL : taken.source,
                       taken.tag,        SendMode::standard};
  return request;
}

Posting post_taken(const Request& request, const TakenMessage& taken, bool blocking) {
  const Transfer& transfer = request.transfer;
  Post post;
  post.request = library().start_request();
  post.pattern = pattern_of(*request.communicator, transfer.peer, transfer.tag);
  post.capacity_bytes = static_cast<std::uint64_t>(transfer.type->size() * transfer.count);
  post.blocking = blocking;
  post.taken = taken.number;
  return {post.request, ask(post)};
}

int receive_taken(const MatchedReceive& arguments, MPI_Status* status) {
  Arguments check;
  TakenMessage taken;
  const std::unique_ptr<Request> request = checked_receive(check, arguments, taken);
  if (check.failed()) return check.error();
  const bool nobody = request->transfer.peer == MPI_PROC_NULL;
  if (!nobody) taken_messages().live.erase(*arguments.message);
  *arguments.message = MPI_MESSAGE_NULL;
  if (nobody) {
    write_status(status, ending_of_nothing(Request::Kind::receive));
    return MPI_SUCCESS;
  }
  check_use(request->transfer, true);
  const Posting posting = post_taken(*request, taken, true);
  const Received received = receive_message(*request->communicator, request->transfer, posting.answer.completions[0]);
  report_late_changes();
  if (received.type_mismatch) report_type_mismatch(received.type_mismatch);
  write_status(status, received.ending);
  if (received.trouble.error == MPI_SUCCESS) return MPI_SUCCESS;
  return error_on(request->communicator->handle, received.trouble.error, received.trouble.text);
}

int start_receive_taken(const MatchedReceive& arguments, MPI_Request* handle) {
  Arguments check;
  check.pointer(handle, "request");
  TakenMessage taken;
  std::unique_ptr<Request> request = checked_receive(check, arguments, taken);
  if (check.failed()) return check.error();
  if (request->transfer.peer == MPI_PROC_NULL) {
    request->ending = ending_of_nothing(Request::Kind::receive);
    request->state = Request::State::complete;
  } else {
    taken_messages().live.erase(*arguments.message);
    request->buffers[0] = begin_use(use_of(request->transfer, true));
    request->id = post_taken(*request, taken, false).request;
    request->state = Request::State::pending;
  }
  *arguments.message = MPI_MESSAGE_NULL;
  give_request(handle, std::move(request));
  return MPI_SUCCESS;
}

}  // namespace

TakenMessages& taken_messages() { return per_rank<TakenMessages>(); }

}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Probe(int source, int tag, MPI_Comm comm, MPI_Status* status) {
  Arguments check(comm);
  check.source(source).tag_pattern(tag);
  if (check.failed()) return check.error();
  if (source == MPI_PROC_NULL) {
    write_status(status, ending_of_nothing(Request::Kind::receive));
    return MPI_SUCCESS;
  }
  const Communicator& communicator = *check.communicator();
  probe(communicator, {pattern_of(communicator, source, tag), true}, status);
  return MPI_SUCCESS;
}

int Iprobe(int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
  Arguments check(comm);
  check.source(source).tag_pattern(tag).pointer(flag, "flag");
  if (check.failed()) return check.error();
  *flag = 1;
  if (source == MPI_PROC_NULL) {
    write_status(status, ending_of_nothing(Request::Kind::receive));
    return MPI_SUCCESS;
  }
  const Communicator& communicator = *check.communicator();
  *flag = probe(communicator, {pattern_of(communicator, source, tag), false}, status) ? 1 : 0;
  return MPI_SUCCESS;
}

int Mprobe(int source, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status) {
  Arguments check(comm);
  check.pointer(message, "message");
  if (checked_probe(check, source, tag)) {
    take(check, {pattern_of(*check.communicator(), source, tag), true, true}, message, status);
  } else if (!check.failed()) {
    *message = MPI_MESSAGE_NO_PROC;
    write_status(status, ending_of_nothing(Request::Kind::receive));
  }
  return check.error();
}

int Improbe(int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message, MPI_Status* status) {
  Arguments check(comm);
  check.pointer(flag, "flag").pointer(message, "message");
  if (checked_probe(check, source, tag)) {
    const rehearse::Probe operation{pattern_of(*check.communicator(), source, tag), false, true};
    *flag = take(check, operation, message, status) ? 1 : 0;
    if (*flag == 0) *message = MPI_MESSAGE_NULL;
  } else if (!check.failed()) {
    *flag = 1;
    *message = MPI_MESSAGE_NO_PROC;
    write_status(status, ending_of_nothing(Request::Kind::receive));
  }
  return check.error();
}

int Mrecv_c(void* buf, MPI_Count count, MPI_Datatype datatype, MPI_Message* message, MPI_Status* status) {
  return receive_taken({buf, count, datatype, message}, status);
}

int Imrecv_c(void* buf, MPI_Count count, MPI_Datatype datatype, MPI_Message* message, MPI_Request* request) {
  return start_receive_taken({buf, count, datatype, message}, request);
}

}  // namespace rehearse::smpi::calls
