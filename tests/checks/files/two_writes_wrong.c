// SPDX-License-Identifier: MIT
//
// The blocks of the two ranks overlap by one element: the offset counts bytes.
// check: file.race
// says: bytes 4 to 7
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, values[2] = {1, 2};
  MPI_File file;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File_open(MPI_COMM_WORLD, "data.bin", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  MPI_File_write_at_all(file, 4 * rank, values, 2, MPI_INT, MPI_STATUS_IGNORE);  // <- here
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
