// SPDX-License-Identifier: MIT
//
// Rank 1 gives rank 2 whole numbers, which takes floating-point numbers: one pair of nine.
// check: collective.signature
// says: rank 1 sends 4 bytes (MPI_INT), which differ in type from the data that rank 2 receives from it
// ranks: 3
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  _Alignas(float) char sent[12] = {1, 2, 3}, received[12];
  int ones[3] = {1, 1, 1}, places[3] = {0, 4, 8};
  MPI_Datatype types[3] = {MPI_FLOAT, MPI_FLOAT, MPI_FLOAT}, expected[3] = {MPI_FLOAT, MPI_FLOAT, MPI_FLOAT};
  types[0] = MPI_INT;
  if (rank == 0) expected[0] = expected[1] = expected[2] = MPI_INT;
  if (rank == 1) types[2] = MPI_INT;
  MPI_Alltoallw(sent, ones, places, types, received, ones, places, expected, MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
