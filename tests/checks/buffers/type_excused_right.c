// SPDX-License-Identifier: MIT
//
// The program passes memory as another type in legal ways: complex numbers as two numbers, arrays of arrays as one
// array, structures and raw storage as bytes, types of the same kind and size, pairs, unions and enumerations.
// check: none
// ranks: 2
#include <complex.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

struct point {
  double re, im;
};
struct located {
  double value;
  int index;
};
union number {
  int whole;
  float part;
};
enum colour { red, green };
struct grid {
  int rows;
  double* cells;
};

static long counters[3];
static char storage[64];

static void pass(void* buffer, int count, MPI_Datatype type) { MPI_Bcast(buffer, count, type, 0, MPI_COMM_WORLD); }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  struct point points[2] = {{1, 2}, {3, 4}};
  MPI_Bcast(points, 4, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Bcast(points, 2, MPI_C_DOUBLE_COMPLEX, 0, MPI_COMM_WORLD);
  MPI_Bcast(points, sizeof points, MPI_BYTE, 0, MPI_COMM_WORLD);
  MPI_Bcast(points, sizeof points, MPI_CHAR, 0, MPI_COMM_WORLD);
  float complex waves[2] = {1, 2};
  MPI_Bcast(waves, 2, MPI_C_FLOAT_COMPLEX, 0, MPI_COMM_WORLD);
  MPI_Bcast(waves, 4, MPI_FLOAT, 0, MPI_COMM_WORLD);
  int table[2][3] = {{1, 2, 3}, {4, 5, 6}};
  MPI_Bcast(table, 6, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Bcast(&table[1][1], 2, MPI_INT32_T, 0, MPI_COMM_WORLD);
  MPI_Bcast(counters, 3, MPI_INT64_T, 0, MPI_COMM_WORLD);
  MPI_Bcast(counters, 3, MPI_LONG_LONG, 0, MPI_COMM_WORLD);
  MPI_Bcast(counters, 3, MPI_AINT, 0, MPI_COMM_WORLD);
  MPI_Bcast(storage, 8, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Bcast(storage, 16, MPI_INT, 0, MPI_COMM_WORLD);
  struct located here = {1, 2}, largest;
  MPI_Allreduce(&here, &largest, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
  union number either = {1};
  MPI_Bcast(&either, 1, MPI_FLOAT, 0, MPI_COMM_WORLD);
  MPI_Bcast(&either, 1, MPI_INT, 0, MPI_COMM_WORLD);
  enum colour colour = red;
  MPI_Bcast(&colour, 1, MPI_INT, 0, MPI_COMM_WORLD);
  bool flags[4] = {true, false, true, false};
  MPI_Bcast(flags, 4, MPI_C_BOOL, 0, MPI_COMM_WORLD);
  MPI_Bcast(flags, 4, MPI_UNSIGNED_CHAR, 0, MPI_COMM_WORLD);
  size_t length = 4;
  MPI_Bcast(&length, 1, MPI_OFFSET, 0, MPI_COMM_WORLD);
  MPI_Aint place = 0;
  MPI_Bcast(&place, 1, MPI_AINT, 0, MPI_COMM_WORLD);
  uint16_t shorts[3] = {1, 2, 3};
  MPI_Bcast(shorts, 3, MPI_UINT16_T, 0, MPI_COMM_WORLD);

  void* block = calloc(8, sizeof(double));
  double* as_doubles = block;
  MPI_Bcast(block, 16, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Bcast(as_doubles, 8, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  struct grid grid = {2, calloc(4, sizeof(double))};
  MPI_Bcast(grid.cells, 4, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  pass(grid.cells, 4, MPI_DOUBLE);
  pass(&grid.rows, 1, MPI_INT);
  struct point* moved = calloc(3, sizeof *moved);
  MPI_Bcast(moved, 6, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  free(moved);
  free(grid.cells);
  free(block);
  MPI_Finalize();
  return 0;
}
