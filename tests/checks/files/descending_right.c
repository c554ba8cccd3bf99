// SPDX-License-Identifier: MIT
//
// The displacements of the filetype ascend.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, values[2] = {1, 2}, places[2] = {0, 2};
  MPI_Datatype every;
  MPI_File file;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File_open(MPI_COMM_WORLD, "data.bin", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  MPI_Type_create_indexed_block(2, 1, places, MPI_INT, &every);
  MPI_Type_commit(&every);
  MPI_File_set_view(file, 16 * rank, MPI_INT, every, "native", MPI_INFO_NULL);
  MPI_File_write_at(file, 4 * rank, values, 1, MPI_INT, MPI_STATUS_IGNORE);
  MPI_Type_free(&every);
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
