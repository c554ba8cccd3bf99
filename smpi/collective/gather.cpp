// SPDX-License-Identifier: MIT
//
// Gather and allgather, with equal and with varying counts.
//
// In place: the caller's own block is where it belongs already; it is neither sent from nor
//           received to.
#include "smpi/abi/calls.hpp"
#include "smpi/collective/buffer.hpp"
#include "smpi/datatype/pack.hpp"

namespace rehearse::smpi {
namespace {

struct RootedCall {
  int root;
  MPI_Comm comm;
};

// The part of rank `root`: what it gives is `send`, or, in place, its block.
int gather_at_root(const CommunicatorRef& communicator, const Completing& completing,
                   Contribution contribution, const Buffer* send, const Blocks& blocks) {
  const int skip = send == nullptr ? contribution.root : MPI_UNDEFINED;
  const Buffer& own = send != nullptr ? *send : blocks[static_cast<std::size_t>(contribution.root)];
  const PackedData data(*own.type, own.count, own.address);
  contribution.data = data.bytes();
  return run_collective(communicator, completing, contribution,
                        {[=](Contributions from) { return receive_blocks(blocks, from, skip); }});
}

int gather_elsewhere(const CommunicatorRef& communicator, const Completing& completing,
                     Contribution contribution, const Buffer& send) {
  const PackedData data(*send.type, send.count, send.address);
  contribution.data = data.bytes();
  return run_collective(communicator, completing, contribution, {nothing_to_do});
}

// The block of the root that it gives itself must fit; the driver cannot see the types of either.
int gather(const BufferArguments& send, const BufferArguments& receive, const RootedCall& call,
           const Completing& completing) {
  Arguments check = collective_arguments(call.comm, completing);
  check.root(call.root);
  if (check.failed()) return check.error();
  const CommunicatorRef communicator = check.communicator();
  Contribution contribution;
  contribution.flow = Flow::all_to_root;
  contribution.root = call.root;
  const bool is_root = communicator->rank() == call.root;
  const bool in_place = is_root && send.address == MPI_IN_PLACE;
  Buffer sent, received;
  if (is_root) received = checked_buffer(check, receive, "recvbuf", communicator->size());
  if (!in_place) sent = checked_buffer(check, send, "sendbuf");
  if (is_root && !in_place) check_distinct(check, sent, received);
  if (check.failed()) return check.error();
  contribution.signature = in_place ? received.signature() : sent.signature();
  if (!is_root) return gather_elsewhere(communicator, completing, contribution, sent);
  return gather_at_root(communicator, completing, contribution, in_place ? nullptr : &sent,
                        equal_blocks(received, communicator->size()));
}

int gatherv(const BufferArguments& send, const BlocksArguments& receive, const RootedCall& call,
            const Completing& completing) {
  Arguments check = collective_arguments(call.comm, completing);
  check.root(call.root);
  if (check.failed()) return check.error();
  const CommunicatorRef communicator = check.communicator();
  Contribution contribution;
  contribution.flow = Flow::all_to_root;
  contribution.root = call.root;
  const bool is_root = communicator->rank() == call.root;
  const bool in_place = is_root && send.address == MPI_IN_PLACE;
  Blocks blocks;
  Buffer sent;
  if (is_root) blocks = checked_blocks(check, receive, "recvbuf");
  if (!in_place) sent = checked_buffer(check, send, "sendbuf");
  if (check.failed()) return check.error();
  if (!is_root) return gather_elsewhere(communicator, completing, contribution, sent);
  return gather_at_root(communicator, completing, contribution, in_place ? nullptr : &sent, blocks);
}

// What an allgather does once its blocks are known.
int gather_everywhere(Arguments& check, const Completing& completing, const BufferArguments& send,
                      const Blocks& blocks, std::uint64_t signature) {
  if (check.failed()) return check.error();
  const CommunicatorRef communicator = check.communicator();
  const int rank = communicator->rank();
  const bool in_place = send.address == MPI_IN_PLACE;
  const Buffer own =
      in_place ? blocks[static_cast<std::size_t>(rank)] : checked_buffer(check, send, "sendbuf");
  if (!in_place) check_distinct(check, own, blocks[0]);
  if (check.failed()) return check.error();
  const PackedData data(*own.type, own.count, own.address);
  Contribution contribution;
  contribution.signature = signature;
  contribution.data = data.bytes();
  const int skip = in_place ? rank : MPI_UNDEFINED;
  return run_collective(communicator, completing, contribution,
                        {[=](Contributions from) { return receive_blocks(blocks, from, skip); }});
}

int allgather(const BufferArguments& send, const BufferArguments& receive, MPI_Comm comm,
              const Completing& completing) {
  Arguments check = collective_arguments(comm, completing);
  if (check.failed()) return check.error();
  const int size = check.communicator()->size();
  const Buffer received = checked_buffer(check, receive, "recvbuf", size);
  if (check.failed()) return check.error();
  return gather_everywhere(check, completing, send, equal_blocks(received, size),
                           received.signature());
}

int allgatherv(const BufferArguments& send, const BlocksArguments& receive, MPI_Comm comm,
               const Completing& completing) {
  Arguments check = collective_arguments(comm, completing);
  if (check.failed()) return check.error();
  const Blocks blocks = checked_blocks(check, receive, "recvbuf");
  return gather_everywhere(check, completing, send, blocks, signature_of_blocks(blocks));
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
           MPI_Datatype recvtype, int root, MPI_Comm comm) {
  return gather({sendbuf, sendcount, sendtype}, {recvbuf, recvcount, recvtype}, {root, comm},
                {"MPI_Gather"});
}

int Igather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
            MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request) {
  return gather({sendbuf, sendcount, sendtype}, {recvbuf, recvcount, recvtype}, {root, comm},
                nonblocking("MPI_Igather", request));
}

int Gatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
            const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
            MPI_Comm comm) {
  return gatherv({sendbuf, sendcount, sendtype}, {recvbuf, recvcounts, displs, recvtype},
                 {root, comm}, {"MPI_Gatherv"});
}

int Igatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
             const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
             MPI_Comm comm, MPI_Request* request) {
  return gatherv({sendbuf, sendcount, sendtype}, {recvbuf, recvcounts, displs, recvtype},
                 {root, comm}, nonblocking("MPI_Igatherv", request));
}

int Allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
              int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  return allgather({sendbuf, sendcount, sendtype}, {recvbuf, recvcount, recvtype}, comm,
                   {"MPI_Allgather"});
}

int Iallgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
               int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  return allgather({sendbuf, sendcount, sendtype}, {recvbuf, recvcount, recvtype}, comm,
                   nonblocking("MPI_Iallgather", request));
}

int Allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
               const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm) {
  return allgatherv({sendbuf, sendcount, sendtype}, {recvbuf, recvcounts, displs, recvtype}, comm,
                    {"MPI_Allgatherv"});
}

int Iallgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm,
                MPI_Request* request) {
  return allgatherv({sendbuf, sendcount, sendtype}, {recvbuf, recvcounts, displs, recvtype}, comm,
                    nonblocking("MPI_Iallgatherv", request));
}

}  // namespace rehearse::smpi::calls
