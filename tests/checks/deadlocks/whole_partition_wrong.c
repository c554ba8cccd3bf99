// SPDX-License-Identifier: MIT
//
// The receive has one partition, which arrives when both of the send have; the sender awaits an answer to the first.
// check: progress.polling
#include <assert.h>
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, arrived = 0, data[2] = {0, 0};
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) MPI_Psend_init(data, 2, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  else MPI_Precv_init(data, 1, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  MPI_Start(&request);
  if (rank == 0) {
    data[0] = data[1] = 1;
    MPI_Pready(0, request);
    MPI_Recv(&arrived, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // <- here
    MPI_Pready(1, request);
  } else {
    while (!arrived) MPI_Parrived(request, 0, &arrived);  // <- here
    MPI_Send(&arrived, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
  MPI_Finalize();
  return 0;
}
