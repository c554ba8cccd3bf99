// SPDX-License-Identifier: MIT
//
// Writes a matrix that the ranks share in blocks of rows, collectively, and a chunked one in blocks of columns; then
// reads both back from another decomposition.
//
// With `fill`, HDF5 fills new chunks with zeros. Another rank writes the values later, without MPI_File_sync between: a
// race, as the standard says. Without it, the bytes of the file depend on nothing but the values: the newest format of
// chunks has no unused parts.
//
// Usage: decomposed [fill]
#include <assert.h>
#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { rows = 12, columns = 12 };

static hid_t must(hid_t status, int line) {
  if (status >= 0) return status;
  fprintf(stderr, "line %d: HDF5 failed\n", line);
  MPI_Abort(MPI_COMM_WORLD, 1);
  return status;
}
#define MUST(call) must(call, __LINE__)

static double value_of(int row, int column) { return 100.0 * row + column; }

// Moves a block between the file and `block`, collectively.
static void transfer(hid_t set, int is_write, const hsize_t* start, const hsize_t* count, double* block) {
  hid_t memory = MUST(H5Screate_simple(2, count, NULL)), space = MUST(H5Dget_space(set));
  hid_t how = MUST(H5Pcreate(H5P_DATASET_XFER));
  MUST(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL));
  MUST(H5Pset_dxpl_mpio(how, H5FD_MPIO_COLLECTIVE));
  if (is_write) MUST(H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, how, block));
  else MUST(H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, how, block));
  MUST(H5Pclose(how));
  MUST(H5Sclose(space));
  MUST(H5Sclose(memory));
}

// Without times of its creation, which would be in the file.
static hid_t create_set(hid_t file, const char* name, int is_chunked, int is_filled) {
  const hsize_t size[2] = {rows, columns}, chunk[2] = {4, 6};
  hid_t space = MUST(H5Screate_simple(2, size, NULL)), how = MUST(H5Pcreate(H5P_DATASET_CREATE));
  MUST(H5Pset_obj_track_times(how, 0));
  if (is_chunked) MUST(H5Pset_chunk(how, 2, chunk));
  if (!is_filled) MUST(H5Pset_fill_time(how, H5D_FILL_TIME_NEVER));
  hid_t set = MUST(H5Dcreate2(file, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, how, H5P_DEFAULT));
  MUST(H5Pclose(how));
  MUST(H5Sclose(space));
  return set;
}

int main(int argc, char** argv) {
  int rank, ranks, wrong = 0;
  const char* name = "matrix.h5";
  const int is_filled = argc > 1 && strcmp(argv[1], "fill") == 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  assert(rows % ranks == 0 && columns % ranks == 0);
  const hsize_t height = (hsize_t)(rows / ranks), width = (hsize_t)(columns / ranks);
  const hsize_t row_start[2] = {(hsize_t)rank * height, 0}, row_count[2] = {height, columns};
  const hsize_t column_start[2] = {0, (hsize_t)rank * width}, column_count[2] = {rows, width};
  double* block = malloc(sizeof(double) * rows * columns);

  hid_t access = MUST(H5Pcreate(H5P_FILE_ACCESS));
  MUST(H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL));
  MUST(H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST));
  hid_t creation = MUST(H5Pcreate(H5P_FILE_CREATE));
  MUST(H5Pset_obj_track_times(creation, 0));
  hid_t file = MUST(H5Fcreate(name, H5F_ACC_TRUNC, creation, access));
  MUST(H5Pclose(creation));
  hid_t matrix = create_set(file, "matrix", 0, is_filled);
  hid_t chunked = create_set(file, "chunked", 1, is_filled);
  for (int i = 0; i < (int)height; ++i)
    for (int j = 0; j < columns; ++j) block[i * columns + j] = value_of((int)row_start[0] + i, j);
  transfer(matrix, 1, row_start, row_count, block);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < (int)width; ++j) block[i * (int)width + j] = -value_of(i, (int)column_start[1] + j);
  transfer(chunked, 1, column_start, column_count, block);
  MUST(H5Dclose(chunked));
  MUST(H5Dclose(matrix));
  MUST(H5Fclose(file));

  file = MUST(H5Fopen(name, H5F_ACC_RDONLY, access));
  matrix = MUST(H5Dopen2(file, "matrix", H5P_DEFAULT));
  chunked = MUST(H5Dopen2(file, "chunked", H5P_DEFAULT));
  transfer(matrix, 0, column_start, column_count, block);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < (int)width; ++j) wrong += block[i * (int)width + j] != value_of(i, (int)column_start[1] + j);
  transfer(chunked, 0, row_start, row_count, block);
  for (int i = 0; i < (int)height; ++i)
    for (int j = 0; j < columns; ++j) wrong += block[i * columns + j] != -value_of((int)row_start[0] + i, j);
  MUST(H5Dclose(chunked));
  MUST(H5Dclose(matrix));
  MUST(H5Fclose(file));
  MUST(H5Pclose(access));
  free(block);
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("%d wrong values\n", wrong);
  MPI_Finalize();
  return wrong != 0;
}
