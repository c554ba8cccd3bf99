// SPDX-License-Identifier: MIT
//
// A rank unpacks its number, then uses the buffer for another type.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char packed[64];
  int number = rank, place = 0;
  float share;
  MPI_Pack(&number, 1, MPI_INT, packed, sizeof packed, &place, MPI_COMM_SELF);
  place = 0;
  MPI_Unpack(packed, sizeof packed, &place, &number, 1, MPI_INT, MPI_COMM_SELF);
  place = 0;
  share = 0;
  MPI_Pack(&share, 1, MPI_FLOAT, packed, sizeof packed, &place, MPI_COMM_SELF);
  place = 0;
  MPI_Unpack(packed, sizeof packed, &place, &share, 1, MPI_FLOAT, MPI_COMM_SELF);
  MPI_Finalize();
  return 0;
}
