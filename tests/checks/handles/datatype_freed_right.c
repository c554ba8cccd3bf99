// SPDX-License-Identifier: MIT
//
// A type that others are made of may be freed before them.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int numbers[4] = {1, 2, 3, 4};
  MPI_Datatype pair, two_pairs;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_contiguous(2, pair, &two_pairs);
  MPI_Type_commit(&two_pairs);
  MPI_Type_free(&pair);
  MPI_Bcast(numbers, 1, two_pairs, 0, MPI_COMM_WORLD);
  MPI_Type_free(&two_pairs);
  MPI_Finalize();
  return 0;
}
