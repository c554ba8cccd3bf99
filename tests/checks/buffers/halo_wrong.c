// SPDX-License-Identifier: MIT
//
// A halo exchange as in HPCCG: the receives go behind the rank's own part of a vector, but the part is one element
// longer than they take it to be, so that a send takes an element that a receive writes.
// check: buffer.overlap
// says: overlaps the receive buffer (4 MPI_DOUBLE, 32 bytes) of MPI_Irecv
#include <mpi.h>

enum { OWN = 10, SHARED = 4 };

int main(int argc, char** argv) {
  double x[OWN + SHARED];
  int rank;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < OWN + SHARED; ++i) x[i] = rank;
  double* external = x + OWN - 1;
  MPI_Irecv(external, SHARED, MPI_DOUBLE, 1 - rank, 99, MPI_COMM_WORLD, &request);
  MPI_Send(x + OWN - SHARED, SHARED, MPI_DOUBLE, 1 - rank, 99, MPI_COMM_WORLD);  // <- here
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
