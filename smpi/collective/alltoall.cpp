// SPDX-License-Identifier: MIT
//
// All-to-all, with equal counts, with varying counts, and with varying types.
//
// In place: what the others get is taken from the receive blocks before anything is received into
//           them.
#include "smpi/abi/calls.hpp"
#include "smpi/collective/buffer.hpp"

namespace rehearse::smpi {
namespace {

int exchange(Arguments& check, const Completing& completing, const Blocks& send,
             const Blocks& receive, std::uint64_t signature) {
  if (check.failed()) return check.error();
  const PackedBlocks packed = pack_blocks(send);
  Contribution contribution;
  contribution.signature = signature;
  contribution.data = packed.data;
  contribution.segments = packed.segments;
  return run_collective(check.communicator(), completing, contribution,
                        {[=](Contributions from) { return receive_blocks(receive, from); }});
}

int alltoall(const BufferArguments& send, const BufferArguments& receive, MPI_Comm comm,
             const Completing& completing) {
  Arguments check = collective_arguments(comm, completing);
  if (check.failed()) return check.error();
  const int size = check.communicator()->size();
  const Buffer received = checked_buffer(check, receive, "recvbuf", size);
  const bool in_place = send.address == MPI_IN_PLACE;
  const Buffer sent = in_place ? received : checked_buffer(check, send, "sendbuf", size);
  if (!in_place) check_distinct(check, sent, received);
  if (check.failed()) return check.error();
  return exchange(check, completing, equal_blocks(sent, size), equal_blocks(received, size),
                  sent.signature());
}

int alltoallv(const BlocksArguments& send, const BlocksArguments& receive, MPI_Comm comm,
              const Completing& completing) {
  Arguments check = collective_arguments(comm, completing);
  if (check.failed()) return check.error();
  const Blocks received = checked_blocks(check, receive, "recvbuf");
  const Blocks sent =
      send.address == MPI_IN_PLACE ? received : checked_blocks(check, send, "sendbuf");
  return exchange(check, completing, sent, received, 0);
}

// Displacements in bytes, a type per block.
struct TypedBlocksArguments {
  const void* address;
  const int* counts;
  const int* displacements;
  const MPI_Datatype* datatypes;
};

Blocks checked_typed_blocks(Arguments& check, const TypedBlocksArguments& arguments, bool sends) {
  check.counts(arguments.counts, sends ? "sendcounts" : "recvcounts");
  check.pointer(arguments.displacements, sends ? "sdispls" : "rdispls");
  check.pointer(arguments.datatypes, sends ? "sendtypes" : "recvtypes");
  Blocks blocks;
  for (int rank = 0; !check.failed() && rank < check.communicator()->size(); ++rank) {
    const Datatype* type = check.type(arguments.datatypes[rank]);
    void* address = address_behind(arguments.address, arguments.displacements[rank]);
    check.buffer(address, arguments.counts[rank], type, sends ? "sendbuf" : "recvbuf");
    blocks.push_back({address, arguments.counts[rank], DatatypeRef(type)});
  }
  return blocks;
}

int alltoallw(const TypedBlocksArguments& send, const TypedBlocksArguments& receive, MPI_Comm comm,
              const Completing& completing) {
  Arguments check = collective_arguments(comm, completing);
  if (check.failed()) return check.error();
  const Blocks received = checked_typed_blocks(check, receive, false);
  const Blocks sent =
      send.address == MPI_IN_PLACE ? received : checked_typed_blocks(check, send, true);
  return exchange(check, completing, sent, received, 0);
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
             int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  return alltoall({sendbuf, sendcount, sendtype}, {recvbuf, recvcount, recvtype}, comm,
                  {"MPI_Alltoall"});
}

int Ialltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
              int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  return alltoall({sendbuf, sendcount, sendtype}, {recvbuf, recvcount, recvtype}, comm,
                  nonblocking("MPI_Ialltoall", request));
}

int Alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[],
              MPI_Datatype sendtype, void* recvbuf, const int recvcounts[], const int rdispls[],
              MPI_Datatype recvtype, MPI_Comm comm) {
  return alltoallv({sendbuf, sendcounts, sdispls, sendtype},
                   {recvbuf, recvcounts, rdispls, recvtype}, comm, {"MPI_Alltoallv"});
}

int Ialltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[],
               MPI_Datatype sendtype, void* recvbuf, const int recvcounts[], const int rdispls[],
               MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  return alltoallv({sendbuf, sendcounts, sdispls, sendtype},
                   {recvbuf, recvcounts, rdispls, recvtype}, comm,
                   nonblocking("MPI_Ialltoallv", request));
}

int Alltoallw(const void* sendbuf, const int sendcounts[], const int sdispls[],
              const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
              const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm) {
  return alltoallw({sendbuf, sendcounts, sdispls, sendtypes},
                   {recvbuf, recvcounts, rdispls, recvtypes}, comm, {"MPI_Alltoallw"});
}

int Ialltoallw(const void* sendbuf, const int sendcounts[], const int sdispls[],
               const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
               const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
               MPI_Request* request) {
  return alltoallw({sendbuf, sendcounts, sdispls, sendtypes},
                   {recvbuf, recvcounts, rdispls, recvtypes}, comm,
                   nonblocking("MPI_Ialltoallw", request));
}

}  // namespace rehearse::smpi::calls
