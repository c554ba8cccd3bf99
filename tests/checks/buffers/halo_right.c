// SPDX-License-Identifier: MIT
//
// A halo exchange as in HPCCG: the receives go behind the rank's own part of a vector, and the sends take elements of
// that part.
// check: none
#include <mpi.h>

enum { OWN = 10, SHARED = 4 };

int main(int argc, char** argv) {
  double x[OWN + SHARED];
  int rank;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < OWN + SHARED; ++i) x[i] = rank;
  double* external = x + OWN;
  MPI_Irecv(external, SHARED, MPI_DOUBLE, 1 - rank, 99, MPI_COMM_WORLD, &request);
  MPI_Send(x + OWN - SHARED, SHARED, MPI_DOUBLE, 1 - rank, 99, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
