// SPDX-License-Identifier: MIT
//
// A second split collective begins before the first one has ended.
// check: file.split
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, values[2] = {1, 2};
  MPI_File file;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File_open(MPI_COMM_WORLD, "data.bin", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  MPI_File_write_at_all_begin(file, 8 * rank, values, 2, MPI_INT);
  MPI_File_write_at_all_begin(file, 16 + 8 * rank, values, 2, MPI_INT);  // <- here
  MPI_File_write_at_all_end(file, values, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
