// SPDX-License-Identifier: MIT
//
// Writes a matrix that the ranks share in blocks of rows and of columns, collectively and without blocking, and a line
// of which each rank writes its elements alone; then reads all of it back from another decomposition.
#include <assert.h>
#include <mpi.h>
#include <pnetcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { rows = 12, columns = 12 };

static void must(int status, int line) {
  if (status == NC_NOERR) return;
  fprintf(stderr, "line %d: %s\n", line, ncmpi_strerror(status));
  MPI_Abort(MPI_COMM_WORLD, 1);
}
#define MUST(call) must(call, __LINE__)

static double value_of(int row, int column) { return 100.0 * row + column; }

static void write_file(const char* name, int rank, int ranks) {
  int file, dimensions[2], matrix, transposed, line, requests[2], statuses[2];
  MUST(ncmpi_create(MPI_COMM_WORLD, name, NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &file));
  MUST(ncmpi_def_dim(file, "row", rows, &dimensions[0]));
  MUST(ncmpi_def_dim(file, "column", columns, &dimensions[1]));
  MUST(ncmpi_def_var(file, "matrix", NC_DOUBLE, 2, dimensions, &matrix));
  MUST(ncmpi_def_var(file, "transposed", NC_INT, 2, dimensions, &transposed));
  MUST(ncmpi_def_var(file, "line", NC_SHORT, 1, dimensions, &line));
  MUST(ncmpi_put_att_text(file, NC_GLOBAL, "title", 6, "matrix"));
  MUST(ncmpi_enddef(file));

  // Rows of the matrix, all at once; columns of the other one in two nonblocking halves.
  const MPI_Offset height = rows / ranks, width = columns / ranks;
  MPI_Offset start[2] = {rank * height, 0}, count[2] = {height, columns};
  double* block = malloc(sizeof(double) * (size_t)(height * columns));
  for (int i = 0; i < height; ++i)
    for (int j = 0; j < columns; ++j) block[i * columns + j] = value_of((int)start[0] + i, j);
  MUST(ncmpi_put_vara_double_all(file, matrix, start, count, block));
  int* halves = malloc(sizeof(int) * (size_t)(rows * width));
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < width; ++j) halves[i * width + j] = (int)value_of(rank * (int)width + j, i);
  for (int half = 0; half < 2; ++half) {
    MPI_Offset first[2] = {half * rows / 2, rank * width}, part[2] = {rows / 2, width};
    MUST(ncmpi_iput_vara_int(file, transposed, first, part, halves + half * rows / 2 * width, &requests[half]));
  }
  MUST(ncmpi_wait_all(file, 2, requests, statuses));
  MUST(statuses[0]);
  MUST(statuses[1]);

  // Elements of one rank alone, with a stride.
  MUST(ncmpi_begin_indep_data(file));
  MPI_Offset from[1] = {rank}, some[1] = {rows / ranks}, stride[1] = {ranks};
  short* shorts = malloc(sizeof(short) * (size_t)height);
  for (int i = 0; i < height; ++i) shorts[i] = (short)(1000 * rank + i);
  MUST(ncmpi_put_vars_short(file, line, from, some, stride, shorts));
  MUST(ncmpi_end_indep_data(file));
  MUST(ncmpi_close(file));
  free(block);
  free(halves);
  free(shorts);
}

// Returns the number of wrong values.
static int read_file(const char* name, int rank, int ranks) {
  const MPI_Offset height = rows / ranks, width = columns / ranks;
  int file, matrix, transposed, line, wrong = 0;
  MUST(ncmpi_open(MPI_COMM_WORLD, name, NC_NOWRITE, MPI_INFO_NULL, &file));
  MUST(ncmpi_inq_varid(file, "matrix", &matrix));
  MUST(ncmpi_inq_varid(file, "transposed", &transposed));
  MUST(ncmpi_inq_varid(file, "line", &line));
  MPI_Offset begin[2] = {0, rank * width}, size[2] = {rows, width};
  double* read = malloc(sizeof(double) * (size_t)(rows * width));
  MUST(ncmpi_get_vara_double_all(file, matrix, begin, size, read));
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < width; ++j) wrong += read[i * width + j] != value_of(i, (int)begin[1] + j);
  MPI_Offset top[2] = {rank * height, 0}, all[2] = {height, columns};
  int* ints = malloc(sizeof(int) * (size_t)(height * columns));
  MUST(ncmpi_get_vara_int_all(file, transposed, top, all, ints));
  for (int i = 0; i < height; ++i)
    for (int j = 0; j < columns; ++j) wrong += ints[i * columns + j] != (int)value_of(j, (int)top[0] + i);
  short all_shorts[rows];
  MUST(ncmpi_get_var_short_all(file, line, all_shorts));
  for (int i = 0; i < rows; ++i) wrong += all_shorts[i] != 1000 * (i % ranks) + i / ranks;
  MUST(ncmpi_close(file));
  free(read);
  free(ints);
  return wrong;
}

int main(int argc, char** argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  assert(rows % ranks == 0 && columns % ranks == 0);
  write_file("matrix.nc", rank, ranks);
  int wrong = read_file("matrix.nc", rank, ranks);
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("%d wrong values\n", wrong);
  MPI_Finalize();
  return wrong != 0;
}
