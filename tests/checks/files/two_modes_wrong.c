// SPDX-License-Identifier: MIT
//
// A file that is only read cannot be created.
// check: file.mode
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_File file;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  (void)rank;
  MPI_File_open(MPI_COMM_WORLD, "data.bin", MPI_MODE_CREATE | MPI_MODE_RDONLY, MPI_INFO_NULL, &file);  // <- here
  MPI_Finalize();
  return 0;
}
