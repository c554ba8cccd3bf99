// SPDX-License-Identifier: MIT
//
// Scatter, with equal and with varying counts.
//
// In place: the root keeps its own block where it is.
#include "smpi/abi/calls.hpp"
#include "smpi/collective/buffer.hpp"

namespace rehearse::smpi {
namespace {

struct RootedCall {
  int root;
  MPI_Comm comm;
};

// What a scatter does once its blocks (of the root only) are known. `signature` is that of one
// block, if all are alike.
int scatter_blocks(Arguments& check, const Completing& completing, const Blocks& blocks,
                   const BufferArguments& receive, int root, bool all_alike) {
  if (check.failed()) return check.error();
  const CommunicatorRef communicator = check.communicator();
  const bool is_root = communicator->rank() == root;
  const bool in_place = is_root && receive.address == MPI_IN_PLACE;
  Buffer received;
  if (!in_place) received = checked_buffer(check, receive, "recvbuf");
  if (is_root && !in_place) check_distinct(check, blocks[0], received);
  if (check.failed()) return check.error();
  Contribution contribution;
  contribution.flow = Flow::root_to_all;
  contribution.root = root;
  if (all_alike) contribution.signature = is_root ? blocks[0].signature() : received.signature();
  const PackedBlocks packed = pack_blocks(blocks);
  contribution.data = packed.data;
  contribution.segments = packed.segments;
  if (in_place) return run_collective(communicator, completing, contribution, {nothing_to_do});
  return run_collective(communicator, completing, contribution, {[=](Contributions from) {
                          return receive_block(received, from[static_cast<std::size_t>(root)],
                                               root);
                        }});
}

int scatter(const BufferArguments& send, const BufferArguments& receive, const RootedCall& call,
            const Completing& completing) {
  Arguments check = collective_arguments(call.comm, completing);
  check.root(call.root);
  if (check.failed()) return check.error();
  const Communicator& communicator = *check.communicator();
  Blocks blocks;
  if (communicator.rank() == call.root) {
    const Buffer sent = checked_buffer(check, send, "sendbuf", communicator.size());
    if (!check.failed()) blocks = equal_blocks(sent, communicator.size());
  }
  return scatter_blocks(check, completing, blocks, receive, call.root, true);
}

int scatterv(const BlocksArguments& send, const BufferArguments& receive, const RootedCall& call,
             const Completing& completing) {
  Arguments check = collective_arguments(call.comm, completing);
  check.root(call.root);
  if (check.failed()) return check.error();
  Blocks blocks;
  if (check.communicator()->rank() == call.root) blocks = checked_blocks(check, send, "sendbuf");
  return scatter_blocks(check, completing, blocks, receive, call.root, false);
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Scatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
            MPI_Datatype recvtype, int root, MPI_Comm comm) {
  return scatter({sendbuf, sendcount, sendtype}, {recvbuf, recvcount, recvtype}, {root, comm},
                 {"MPI_Scatter"});
}

int Iscatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
             int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request) {
  return scatter({sendbuf, sendcount, sendtype}, {recvbuf, recvcount, recvtype}, {root, comm},
                 nonblocking("MPI_Iscatter", request));
}

int Scatterv(const void* sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype,
             void* recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  return scatterv({sendbuf, sendcounts, displs, sendtype}, {recvbuf, recvcount, recvtype},
                  {root, comm}, {"MPI_Scatterv"});
}

int Iscatterv(const void* sendbuf, const int sendcounts[], const int displs[],
              MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype, int root,
              MPI_Comm comm, MPI_Request* request) {
  return scatterv({sendbuf, sendcounts, displs, sendtype}, {recvbuf, recvcount, recvtype},
                  {root, comm}, nonblocking("MPI_Iscatterv", request));
}

}  // namespace rehearse::smpi::calls
