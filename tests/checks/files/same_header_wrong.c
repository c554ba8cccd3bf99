// SPDX-License-Identifier: MIT
//
// Both ranks write the same header.
// check: none
// warns: file.race.same
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, values[2] = {1, 2};
  MPI_File file;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File_open(MPI_COMM_WORLD, "data.bin", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  MPI_File_write_at(file, 0, values, 2, MPI_INT, MPI_STATUS_IGNORE);  // <- here
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
