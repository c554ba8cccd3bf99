// SPDX-License-Identifier: MIT
//
// The ranks set different sizes.
// check: collective.argument
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_File file;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File_open(MPI_COMM_WORLD, "data.bin", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  MPI_File_set_size(file, 8 * rank);  // <- here
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
