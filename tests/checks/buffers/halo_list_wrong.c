// SPDX-License-Identifier: MIT
//
// A halo exchange as in miniFE: the elements to be sent are packed into a buffer, which the receives of this step use,
// too.
// check: buffer.touched
#include <mpi.h>

enum { OWN = 10, SHARED = 4 };

int main(int argc, char** argv) {
  double x[OWN] = {0}, shared[SHARED] = {0};
  int rank, elements[SHARED] = {1, 3, 5, 7};
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < OWN; ++i) x[i] = rank + i;
  MPI_Irecv(shared, SHARED, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, &request);  // <- here
  for (int i = 0; i < SHARED; ++i) shared[i] = x[elements[i]];
  double other[SHARED];
  for (int i = 0; i < SHARED; ++i) other[i] = shared[i];
  MPI_Send(other, SHARED, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
