// SPDX-License-Identifier: MIT
//
// A send and a receive under one request.
#include <memory>
#include <utility>

#include "smpi/abi/calls.hpp"
#include "smpi/p2p/transfer.hpp"

namespace rehearse::smpi {
namespace {

// Both sides may use one buffer: the driver copies the sent data before the receive is posted.
int isendrecv(const SendArguments& send, const ReceiveArguments& receive, bool one_buffer, MPI_Request* request) {
  Arguments check(send.comm);
  const Transfer sent = checked_send(check, send, SendMode::standard);
  const Transfer received = checked_receive(check, receive);
  check.pointer(request, "request");
  if (check.failed()) return check.error();
  auto made = std::make_unique<Request>();
  made->kind = Request::Kind::compound;
  made->communicator = check.communicator();
  made->more().has_receive_status = true;
  start_pieces(*made, MatchingSpace(*made->communicator), {sent}, {received}, !one_buffer);
  give_request(request, std::move(made));
  return MPI_SUCCESS;
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Isendrecv_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, int dest, int sendtag, void* recvbuf,
                MPI_Count recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm,
                MPI_Request* request) {
  return isendrecv({sendbuf, sendcount, sendtype, dest, sendtag, comm},
                   {recvbuf, recvcount, recvtype, source, recvtag, comm}, false, request);
}

int Isendrecv_replace_c(void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int sendtag, int source,
                        int recvtag, MPI_Comm comm, MPI_Request* request) {
  return isendrecv({buf, count, datatype, dest, sendtag, comm}, {buf, count, datatype, source, recvtag, comm}, true,
                   request);
}

}  // namespace rehearse::smpi::calls
