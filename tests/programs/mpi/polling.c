// SPDX-License-Identifier: MIT
//
// Test and Iprobe in loops end, whatever they are answered.
#include <assert.h>
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, value = 3, flag = 0, count;
  MPI_Request request;
  MPI_Status status;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Send(&value, 1, MPI_INT, 1, 4, MPI_COMM_WORLD);
    MPI_Send(&value, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
  } else {
    value = 0;
    MPI_Irecv(&value, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, &request);
    while (!flag) MPI_Test(&request, &flag, &status);
    assert(value == 3 && request == MPI_REQUEST_NULL && status.MPI_TAG == 4);
    flag = 0;
    while (!flag) MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    assert(status.MPI_TAG == 5 && count == 1);
    MPI_Recv(&value, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
