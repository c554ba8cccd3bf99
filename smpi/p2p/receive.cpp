// SPDX-License-Identifier: MIT
//
// The blocking receive, and sends and receives in one call.
//
// Method: the combined calls start the send and the receive and wait for both, so neither can block the other. They may
//         use one buffer: the driver copies the sent data before the receive is posted.

#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "simcore/actor.hpp"
#include "smpi/abi/calls.hpp"
#include "smpi/buffers/pending.hpp"
#include "smpi/datatype/pack.hpp"
#include "smpi/error.hpp"
#include "smpi/failure/failures.hpp"
#include "smpi/p2p/awaited.hpp"
#include "smpi/p2p/transfer.hpp"

namespace rehearse::smpi {
namespace {

int conclude_receive(const Communicator& communicator, Received received, MPI_Status* status) {
  report_late_changes();
  if (received.type_mismatch) report_type_mismatch(received.type_mismatch);
  write_status(status, received.ending);
  if (received.trouble.error == MPI_SUCCESS) return MPI_SUCCESS;
  return error_on(communicator.handle, received.trouble.error, received.trouble.text);
}

// Ends a receive that a failure interrupted. A receive from any source may have got a message meanwhile: then the
// answer is its completion. One from a failed process stays: nobody sends there any more.
const Observation* abandon_receive(RequestId request, const Watch& watch) {
  if (watch.who == Watch::Who::anybody) {
    const Observation& answer = ask(Observe{{&request, 1}, Quantifier::all, false, true});
    return answer.flag ? &answer : nullptr;
  }
  ask(Release{request});
  return nullptr;
}

int receive_fallibly(Failures& known, const Communicator& communicator, const Transfer& transfer, MPI_Status* status) {
  const Watch watch = watch_of(communicator, transfer);
  Interruption why = known.known(watch);
  if (!why) {
    const RequestId request = ask_receive(MatchingSpace(communicator), transfer, false).request;
    Failures::Waited waited = known.wait(request, watch);
    why = std::move(waited.why);
    if (waited.answer == nullptr) waited.answer = abandon_receive(request, watch);
    if (waited.answer != nullptr)
      return conclude_receive(communicator, receive_message(communicator, transfer, waited.answer->completions[0]),
                              status);
  }
  return error_on(communicator.handle, why.error, why.text);
}

// Both sides are started, unless something is known to prevent one of them. Then they are waited for one after the
// other; the first one that fails ends the call.
int exchange_fallibly(Failures& known, const Communicator& communicator, const Transfer& send, const Transfer& receive,
                      MPI_Status* status) {
  Interruption why;
  for (const Transfer* side : {&send, &receive})
    if (!why && side->peer != MPI_PROC_NULL) why = known.known(watch_of(communicator, *side));
  if (why) return error_on(communicator.handle, why.error, why.text);
  std::optional<RequestId> sent, received;
  if (send.peer != MPI_PROC_NULL) sent = ask_send(MatchingSpace(communicator), send, false);
  if (receive.peer != MPI_PROC_NULL) received = ask_receive(MatchingSpace(communicator), receive, false).request;
  Received message;
  message.ending = ending_of_nothing(Request::Kind::receive);
  if (sent) {
    Failures::Waited waited = known.wait(*sent, watch_of(communicator, send));
    why = std::move(waited.why);
    if (why) ask(Release{*sent});
  }
  if (received) {
    const Watch watch = watch_of(communicator, receive);
    Failures::Waited waited;
    if (!why) {
      waited = known.wait(*received, watch);
      why = std::move(waited.why);
    }
    if (waited.answer == nullptr) waited.answer = abandon_receive(*received, watch);
    if (waited.answer != nullptr) message = receive_message(communicator, receive, waited.answer->completions[0]);
  }
  if (why) return error_on(communicator.handle, why.error, why.text);
  return conclude_receive(communicator, std::move(message), status);
}

// Inline, because the processor mispredicts each return after a switch of stacks.
[[gnu::always_inline]] inline int receive(const ReceiveArguments& arguments, MPI_Status* status) {
  Arguments check(arguments.comm);
  const Transfer transfer = checked_receive(check, arguments);
  if (check.failed()) return check.error();
  if (transfer.peer == MPI_PROC_NULL) {
    write_status(status, ending_of_nothing(Request::Kind::receive));
    return MPI_SUCCESS;
  }
  failure_point();
  check_use(transfer, true);
  const CommunicatorRef communicator = check.communicator();
  if (Failures* known = failures()) return receive_fallibly(*known, *communicator, transfer, status);
  const AwaitedMessage awaited(transfer, status);
  const Posting posting = ask_receive(MatchingSpace(*communicator), transfer, true);
  return conclude_receive(*communicator, receive_message(*communicator, transfer, posting.answer.completions[0]),
                          status);
}

// Starts each side that is not MPI_PROC_NULL, waits for the started sides, and concludes.
int exchange(const CommunicatorRef& communicator, const Transfer& send, const Transfer& receive, MPI_Status* status) {
  std::array<RequestId, 2> started;
  std::size_t count = 0;
  if (send.peer != MPI_PROC_NULL) started[count++] = ask_send(MatchingSpace(*communicator), send, false);
  const bool receives = receive.peer != MPI_PROC_NULL;
  if (receives) started[count++] = ask_receive(MatchingSpace(*communicator), receive, false).request;
  Received received;
  received.ending = ending_of_nothing(Request::Kind::receive);
  if (count > 0) {
    std::optional<AwaitedMessage> awaited;
    if (receives) awaited.emplace(receive, status);
    const Observation& answer = ask(Observe{{started.data(), count}, Quantifier::all, true});
    if (receives) received = receive_message(*communicator, receive, answer.completions[count - 1]);
  }
  return conclude_receive(*communicator, std::move(received), status);
}

void check_exchange(const Transfer& send, const Transfer& receive, bool one_buffer) {
  std::vector<BufferUse> uses;
  if (send.peer != MPI_PROC_NULL && !one_buffer) uses.push_back(use_of(send, false));
  if (receive.peer != MPI_PROC_NULL || one_buffer) uses.push_back(use_of(receive, true));
  check_uses(std::move(uses));
}

int sendrecv(const SendArguments& send, const ReceiveArguments& receive, bool one_buffer, MPI_Status* status) {
  Arguments check(send.comm);
  const Transfer sent = checked_send(check, send, SendMode::standard);
  const Transfer received = checked_receive(check, receive);
  if (check.failed()) return check.error();
  const CommunicatorRef communicator = check.communicator();
  failure_point();
  check_exchange(sent, received, one_buffer);
  if (Failures* known = failures()) return exchange_fallibly(*known, *communicator, sent, received, status);
  return exchange(communicator, sent, received, status);
}

}  // namespace

}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Recv(void* buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Status* status) {
  return receive({buf, count, datatype, source, tag, comm}, status);
}

int Recv_c(void* buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Status* status) {
  return receive({buf, count, datatype, source, tag, comm}, status);
}

int Sendrecv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void* recvbuf,
             int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Status* status) {
  return sendrecv({sendbuf, sendcount, sendtype, dest, sendtag, comm},
                  {recvbuf, recvcount, recvtype, source, recvtag, comm}, false, status);
}

int Sendrecv_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, int dest, int sendtag, void* recvbuf,
               MPI_Count recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Status* status) {
  return sendrecv({sendbuf, sendcount, sendtype, dest, sendtag, comm},
                  {recvbuf, recvcount, recvtype, source, recvtag, comm}, false, status);
}

int Sendrecv_replace(void* buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source, int recvtag,
                     MPI_Comm comm, MPI_Status* status) {
  return sendrecv({buf, count, datatype, dest, sendtag, comm}, {buf, count, datatype, source, recvtag, comm}, true,
                  status);
}

int Sendrecv_replace_c(void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int sendtag, int source,
                       int recvtag, MPI_Comm comm, MPI_Status* status) {
  return sendrecv({buf, count, datatype, dest, sendtag, comm}, {buf, count, datatype, source, recvtag, comm}, true,
                  status);
}

}  // namespace rehearse::smpi::calls
