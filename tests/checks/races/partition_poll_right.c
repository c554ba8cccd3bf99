// SPDX-License-Identifier: MIT
//
// The program asks whether the partition has arrived, and goes on either way.
// check: none
#include <assert.h>
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, arrived = 0, data[2] = {0, 0};
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) MPI_Psend_init(data, 2, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  else MPI_Precv_init(data, 2, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  MPI_Start(&request);
  if (rank == 0) {
    data[0] = data[1] = 1;
    MPI_Pready(0, request);
    MPI_Pready(1, request);
  } else {
    MPI_Parrived(request, 0, &arrived);
    assert(!arrived || data[0] == 1);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
  MPI_Finalize();
  return 0;
}
