// SPDX-License-Identifier: MIT
//
// A halo exchange as in miniFE: the elements to be sent are packed into a buffer of their own.
// check: none
#include <mpi.h>

enum { OWN = 10, SHARED = 4 };

int main(int argc, char** argv) {
  double x[OWN] = {0}, shared[SHARED] = {0}, other[SHARED];
  int rank, elements[SHARED] = {1, 3, 5, 7};
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < OWN; ++i) x[i] = rank + i;
  MPI_Irecv(shared, SHARED, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, &request);
  for (int i = 0; i < SHARED; ++i) other[i] = x[elements[i]];
  MPI_Send(other, SHARED, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
