// SPDX-License-Identifier: MIT
//
// Blocking sends, one function per mode.
#include "smpi/p2p/transfer.hpp"

#include <utility>

#include "smpi/abi/calls.hpp"
#include "smpi/buffers/pending.hpp"
#include "smpi/error.hpp"
#include "smpi/failure/failures.hpp"
#include "smpi/p2p/buffered.hpp"

namespace rehearse::smpi {
namespace {

int send_fallibly(Failures& known, const Communicator& communicator, const Transfer& transfer) {
  const Watch watch = watch_of(communicator, transfer);
  Interruption why = known.known(watch);
  if (!why) {
    const RequestId request = ask_send(MatchingSpace(communicator), transfer, false);
    Failures::Waited waited = known.wait(request, watch);
    if (waited.answer != nullptr) return MPI_SUCCESS;
    ask(Release{request});
    why = std::move(waited.why);
  }
  return error_on(communicator.handle, why.error, why.text);
}

int send(const SendArguments& arguments, SendMode mode) {
  Arguments check(arguments.comm);
  const Transfer transfer = checked_send(check, arguments, mode);
  if (check.failed()) return check.error();
  if (transfer.peer == MPI_PROC_NULL) return MPI_SUCCESS;
  failure_point();
  check_use(transfer, false);
  if (mode == SendMode::buffered) {
    const int error = take_buffer(arguments.comm, transfer.type->size() * transfer.count);
    if (error != MPI_SUCCESS) return error;
  }
  if (Failures* known = failures()) {
    const CommunicatorRef communicator = check.communicator();
    const int error = send_fallibly(*known, *communicator, transfer);
    if (error != MPI_SUCCESS) return error;
  } else {
    ask_send(MatchingSpace(*check.communicator()), transfer, true);
  }
  if (mode == SendMode::synchronous) heard_from_others();
  return MPI_SUCCESS;
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Send(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  return send({buf, count, datatype, dest, tag, comm}, SendMode::standard);
}

int Send_c(const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  return send({buf, count, datatype, dest, tag, comm}, SendMode::standard);
}

int Ssend(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  return send({buf, count, datatype, dest, tag, comm}, SendMode::synchronous);
}

int Ssend_c(const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  return send({buf, count, datatype, dest, tag, comm}, SendMode::synchronous);
}

int Bsend(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  return send({buf, count, datatype, dest, tag, comm}, SendMode::buffered);
}

int Bsend_c(const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  return send({buf, count, datatype, dest, tag, comm}, SendMode::buffered);
}

int Rsend(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  return send({buf, count, datatype, dest, tag, comm}, SendMode::ready);
}

int Rsend_c(const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  return send({buf, count, datatype, dest, tag, comm}, SendMode::ready);
}

}  // namespace rehearse::smpi::calls
