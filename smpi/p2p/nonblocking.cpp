// SPDX-License-Identifier: MIT
//
// Nonblocking sends and receives.
#include "smpi/p2p/transfer.hpp"

#include <memory>
#include <utility>

#include "smpi/abi/calls.hpp"

namespace rehearse::smpi {
namespace {

// Starts a new request for a checked transfer and gives it a handle.
int start(Arguments& check, Request::Kind kind, Transfer transfer, MPI_Request* request) {
  check.pointer(request, "request");
  if (check.failed()) return check.error();
  auto started = std::make_unique<Request>();
  started->kind = kind;
  started->communicator = check.communicator();
  started->transfer = std::move(transfer);
  const int error = start_transfer(*started);
  if (error == MPI_SUCCESS) give_request(request, std::move(started));
  return error;
}

int isend(const SendArguments& arguments, SendMode mode, MPI_Request* request) {
  Arguments check(arguments.comm);
  Transfer transfer = checked_send(check, arguments, mode);
  return start(check, Request::Kind::send, std::move(transfer), request);
}

int irecv(const ReceiveArguments& arguments, MPI_Request* request) {
  Arguments check(arguments.comm);
  Transfer transfer = checked_receive(check, arguments);
  return start(check, Request::Kind::receive, std::move(transfer), request);
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Isend(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request* request) {
  return isend({buf, count, datatype, dest, tag, comm}, SendMode::standard, request);
}

int Isend_c(const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
            MPI_Request* request) {
  return isend({buf, count, datatype, dest, tag, comm}, SendMode::standard, request);
}

int Issend(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request* request) {
  return isend({buf, count, datatype, dest, tag, comm}, SendMode::synchronous, request);
}

int Issend_c(const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
             MPI_Request* request) {
  return isend({buf, count, datatype, dest, tag, comm}, SendMode::synchronous, request);
}

int Ibsend(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request* request) {
  return isend({buf, count, datatype, dest, tag, comm}, SendMode::buffered, request);
}

int Ibsend_c(const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
             MPI_Request* request) {
  return isend({buf, count, datatype, dest, tag, comm}, SendMode::buffered, request);
}

int Irsend(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request* request) {
  return isend({buf, count, datatype, dest, tag, comm}, SendMode::ready, request);
}

int Irsend_c(const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
             MPI_Request* request) {
  return isend({buf, count, datatype, dest, tag, comm}, SendMode::ready, request);
}

int Irecv(void* buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Request* request) {
  return irecv({buf, count, datatype, source, tag, comm}, request);
}

int Irecv_c(void* buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
            MPI_Request* request) {
  return irecv({buf, count, datatype, source, tag, comm}, request);
}

}  // namespace rehearse::smpi::calls
