// SPDX-License-Identifier: MIT
//
// A message that was probed is taken: a receive that would fit gets the other one, in every order.
// ranks: 3
// executions: 2
#include <assert.h>
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, first = -1, second = -1, count, flag;
  MPI_Message message;
  MPI_Request request;
  MPI_Status status;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank > 0) {
    MPI_Ssend(&rank, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
  } else {
    MPI_Mprobe(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &message, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    assert(count == 1 && message != MPI_MESSAGE_NULL);
    MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    assert(second + status.MPI_SOURCE == 3);
    MPI_Imrecv(&first, 1, MPI_INT, &message, &request);
    assert(message == MPI_MESSAGE_NULL);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    assert(first == status.MPI_SOURCE);
    MPI_Improbe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &flag, &message, &status);
    assert(flag && message == MPI_MESSAGE_NO_PROC);
    MPI_Mrecv(&first, 1, MPI_INT, &message, &status);
    assert(status.MPI_SOURCE == MPI_PROC_NULL && message == MPI_MESSAGE_NULL);
  }
  MPI_Finalize();
  return 0;
}
