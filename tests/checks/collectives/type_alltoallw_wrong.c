// SPDX-License-Identifier: MIT
//
// A rank gives itself numbers, and expects floating-point numbers.
// check: collective.signature
// warns: buffer.type
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int sent[2] = {1, 2}, received[2], ones[2] = {1, 1}, places[2] = {0, 4};
  MPI_Datatype types[2] = {MPI_INT, MPI_INT}, expected[2] = {MPI_INT, MPI_INT};
  expected[rank] = MPI_FLOAT;
  MPI_Alltoallw(sent, ones, places, types, received, ones, places, expected, MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
