// SPDX-License-Identifier: MIT
//
// A rank unpacks its number as a floating-point number.
// check: message.type
// says: element 0 is unpacked as MPI_FLOAT but was packed as MPI_INT, packed in MPI_Pack
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
  MPI_Unpack(packed, sizeof packed, &place, &share, 1, MPI_FLOAT, MPI_COMM_SELF);  // <- here
  MPI_Finalize();
  return 0;
}
