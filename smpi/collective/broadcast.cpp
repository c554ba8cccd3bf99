// SPDX-License-Identifier: MIT
//
// Barrier and broadcast.
#include "smpi/abi/calls.hpp"
#include "smpi/collective/buffer.hpp"
#include "smpi/datatype/pack.hpp"

namespace rehearse::smpi {
namespace {

int barrier(MPI_Comm comm, const Completing& completing) {
  Arguments check = collective_arguments(comm, completing);
  if (check.failed()) return check.error();
  return run_collective(check.communicator(), completing, {}, {nothing_to_do});
}

int broadcast(const BufferArguments& arguments, int root, MPI_Comm comm,
              const Completing& completing) {
  Arguments check = collective_arguments(comm, completing);
  const Buffer buffer = checked_buffer(check, arguments, "buffer");
  check.root(root);
  if (check.failed()) return check.error();
  const CommunicatorRef communicator = check.communicator();
  Contribution contribution;
  contribution.flow = Flow::root_to_all;
  contribution.root = root;
  contribution.signature = buffer.signature();
  if (communicator->rank() == root) {
    const PackedData data(*buffer.type, buffer.count, buffer.address);
    contribution.data = data.bytes();
    return run_collective(communicator, completing, contribution, {nothing_to_do});
  }
  return run_collective(communicator, completing, contribution, {[=](Contributions from) {
                          return receive_block(buffer, from[static_cast<std::size_t>(root)], root);
                        }});
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Barrier(MPI_Comm comm) { return barrier(comm, {"MPI_Barrier"}); }

int Ibarrier(MPI_Comm comm, MPI_Request* request) {
  return barrier(comm, nonblocking("MPI_Ibarrier", request));
}

int Bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  return broadcast({buffer, count, datatype}, root, comm, {"MPI_Bcast"});
}

int Ibcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm,
           MPI_Request* request) {
  return broadcast({buffer, count, datatype}, root, comm, nonblocking("MPI_Ibcast", request));
}

}  // namespace rehearse::smpi::calls
