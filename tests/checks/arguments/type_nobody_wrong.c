// SPDX-License-Identifier: MIT
//
// A receive from somebody has no type.
// check: argument.datatype
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Status status;
  MPI_Request request;
  MPI_Irecv(NULL, 0, MPI_DATATYPE_NULL, rank, 10, MPI_COMM_WORLD, &request);  // <- here
  MPI_Wait(&request, &status);
  MPI_Send(NULL, 4, MPI_DATATYPE_NULL, MPI_PROC_NULL, 10, MPI_COMM_WORLD);
  MPI_Send(NULL, 4, MPI_INT, MPI_PROC_NULL, 10, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
