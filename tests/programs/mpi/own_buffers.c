// SPDX-License-Identifier: MIT
//
// A buffer that belongs to one communicator; flushing one makes it free again.
// ranks: 2
// executions: 1
#include <assert.h>
#include <mpi.h>

int main(int argc, char** argv) {
  static char space[sizeof(int) + MPI_BSEND_OVERHEAD];
  int rank, size, got;
  void* address;
  MPI_Comm comm;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_attach_buffer(comm, space, sizeof space);
  if (rank == 0) {
    for (int i = 0; i < 3; ++i) {
      MPI_Bsend(&i, 1, MPI_INT, 1, 0, comm);
      MPI_Comm_iflush_buffer(comm, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
  } else {
    for (int i = 0; i < 3; ++i) {
      MPI_Recv(&got, 1, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE);
      assert(got == i);
    }
  }
  MPI_Comm_detach_buffer(comm, &address, &size);
  assert(address == space && size == (int)sizeof space);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
