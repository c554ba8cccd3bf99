// SPDX-License-Identifier: MIT
//
// Persistent sends and receives: created once, started many times.
#include "smpi/p2p/transfer.hpp"

#include <memory>
#include <string>
#include <utility>

#include "smpi/abi/calls.hpp"
#include "smpi/error.hpp"
#include "smpi/request/unstarted.hpp"
#include "smpi/wrong_handle.hpp"

namespace rehearse::smpi {
namespace {

int init(Arguments& check, Request::Kind kind, Transfer transfer, MPI_Request* request) {
  check.pointer(request, "request");
  if (check.failed()) return check.error();
  auto made = std::make_unique<Request>();
  made->kind = kind;
  made->persistent = true;
  made->communicator = check.communicator();
  made->transfer = std::move(transfer);
  give_request(request, std::move(made));
  return MPI_SUCCESS;
}

int send_init(const SendArguments& arguments, SendMode mode, MPI_Request* request) {
  Arguments check(arguments.comm);
  Transfer transfer = checked_send(check, arguments, mode);
  return init(check, Request::Kind::send, std::move(transfer), request);
}

int recv_init(const ReceiveArguments& arguments, MPI_Request* request) {
  Arguments check(arguments.comm);
  Transfer transfer = checked_receive(check, arguments);
  return init(check, Request::Kind::receive, std::move(transfer), request);
}

int start(const MPI_Request* handle) {
  Request* request = find_request(*handle);
  if (request == nullptr) return error(MPI_ERR_REQUEST, wrong_handle(Kind::request, *handle));
  const MPI_Comm comm = request->communicator->handle;
  if (!request->persistent) return error_on(comm, MPI_ERR_REQUEST, "the request to start is not persistent");
  if (request->state != Request::State::inactive)
    return error_on(comm, MPI_ERR_REQUEST, "the request to start is active: it was not completed", "request.active");
  note_start(*request, *handle);
  request->started = true;
  if (request->extra)
    for (const auto& section : request->extra->sections) section->gather();
  return request->extra && request->extra->begin ? request->extra->begin(*request) : start_transfer(*request);
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Send_init(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
              MPI_Request* request) {
  return send_init({buf, count, datatype, dest, tag, comm}, SendMode::standard, request);
}

int Send_init_c(const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                MPI_Request* request) {
  return send_init({buf, count, datatype, dest, tag, comm}, SendMode::standard, request);
}

int Ssend_init(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
               MPI_Request* request) {
  return send_init({buf, count, datatype, dest, tag, comm}, SendMode::synchronous, request);
}

int Ssend_init_c(const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                 MPI_Request* request) {
  return send_init({buf, count, datatype, dest, tag, comm}, SendMode::synchronous, request);
}

int Bsend_init(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
               MPI_Request* request) {
  return send_init({buf, count, datatype, dest, tag, comm}, SendMode::buffered, request);
}

int Bsend_init_c(const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                 MPI_Request* request) {
  return send_init({buf, count, datatype, dest, tag, comm}, SendMode::buffered, request);
}

int Rsend_init(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
               MPI_Request* request) {
  return send_init({buf, count, datatype, dest, tag, comm}, SendMode::ready, request);
}

int Rsend_init_c(const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                 MPI_Request* request) {
  return send_init({buf, count, datatype, dest, tag, comm}, SendMode::ready, request);
}

int Recv_init(void* buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Request* request) {
  return recv_init({buf, count, datatype, source, tag, comm}, request);
}

int Recv_init_c(void* buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                MPI_Request* request) {
  return recv_init({buf, count, datatype, source, tag, comm}, request);
}

int Start(MPI_Request* request) {
  Arguments check;
  check.pointer(request, "request");
  return check.failed() ? check.error() : start(request);
}

int Startall(int count, MPI_Request array_of_requests[]) {
  Arguments check;
  check.count(count);
  if (count > 0) check.pointer(array_of_requests, "array_of_requests");
  if (check.failed()) return check.error();
  for (int i = 0; i < count; ++i) {
    const int error = start(&array_of_requests[i]);
    if (error != MPI_SUCCESS) return error;
  }
  return MPI_SUCCESS;
}

}  // namespace rehearse::smpi::calls
