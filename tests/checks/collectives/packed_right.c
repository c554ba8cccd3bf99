// SPDX-License-Identifier: MIT
//
// What was packed may be broadcast as MPI_PACKED and taken as what it is, and the other way round.
// check: none
// ranks: 3
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, data[4] = {1, 2, 3, 4}, size, at = 0;
  char packed[64];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Pack_size(4, MPI_INT, MPI_COMM_WORLD, &size);
  if (rank == 0) MPI_Pack(data, 4, MPI_INT, packed, sizeof packed, &at, MPI_COMM_WORLD);
  if (rank == 0) MPI_Bcast(packed, size, MPI_PACKED, 0, MPI_COMM_WORLD);
  else MPI_Bcast(data, 4, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Gather(data, 4, MPI_INT, data, 0, MPI_PACKED, 0, MPI_COMM_WORLD);
  else if (rank == 2) MPI_Gather(packed, size, MPI_PACKED, packed, 0, MPI_PACKED, 0, MPI_COMM_WORLD);
  else MPI_Gather(MPI_IN_PLACE, 0, MPI_INT, packed, size, MPI_PACKED, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
