// SPDX-License-Identifier: MIT
//
// The program waits first.
// check: none
// compile: --check-memory
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, values[2] = {1, 2};
  MPI_File file;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File_open(MPI_COMM_WORLD, "data.bin", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  MPI_File_iwrite_at(file, 8 * rank, values, 2, MPI_INT, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  values[0] = 7;
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
