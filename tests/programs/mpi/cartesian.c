// SPDX-License-Identifier: MIT
//
// Grids: coordinates, shifts, slices, the factors of a number, and what is asked of a communicator without one.
// ranks: 6
// executions: 1
#include <assert.h>
#include <mpi.h>

static void factors(void) {
  int two[2] = {0, 0}, three[3] = {0, 0, 0}, fixed[3] = {0, 3, 0};
  MPI_Dims_create(12, 2, two);
  assert(two[0] == 4 && two[1] == 3);
  MPI_Dims_create(60, 3, three);
  assert(three[0] == 5 && three[1] == 4 && three[2] == 3);
  MPI_Dims_create(12, 3, fixed);
  assert(fixed[0] == 2 && fixed[1] == 3 && fixed[2] == 2);
}

static void slices(MPI_Comm grid, int rank) {
  const int rows[2] = {0, 1}, nothing[2] = {0, 0};
  int size, place, dims, sum, source, dest;
  MPI_Comm row, point;
  MPI_Cart_sub(grid, rows, &row);
  MPI_Comm_size(row, &size);
  MPI_Comm_rank(row, &place);
  MPI_Cartdim_get(row, &dims);
  assert(size == 3 && place == rank % 3 && dims == 1);
  MPI_Cart_shift(row, 0, 1, &source, &dest);
  assert(dest == (place + 1) % 3 && source == (place + 2) % 3);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, row);
  assert(sum == (rank < 3 ? 3 : 12));
  MPI_Cart_sub(grid, nothing, &point);
  MPI_Comm_size(point, &size);
  MPI_Cartdim_get(point, &dims);
  assert(size == 1 && dims == 0);
  MPI_Comm_free(&point);
  MPI_Comm_free(&row);
}

int main(int argc, char** argv) {
  const int dims[2] = {2, 3}, periods[2] = {0, 1}, small[1] = {4};
  int rank, source, dest, status, got[2], sizes[2], wraps[2], at[2] = {1, -1};
  MPI_Comm grid, copy, line;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  factors();
  MPI_Topo_test(MPI_COMM_WORLD, &status);
  assert(status == MPI_UNDEFINED);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &grid);
  MPI_Topo_test(grid, &status);
  assert(status == MPI_CART);
  MPI_Cart_get(grid, 2, sizes, wraps, got);
  assert(sizes[0] == 2 && sizes[1] == 3 && !wraps[0] && wraps[1] && got[0] == rank / 3 && got[1] == rank % 3);
  MPI_Cart_coords(grid, 5, 2, got);
  assert(got[0] == 1 && got[1] == 2);
  MPI_Cart_rank(grid, at, &dest);
  assert(dest == 5);
  MPI_Cart_shift(grid, 0, 1, &source, &dest);
  assert(dest == (rank < 3 ? rank + 3 : MPI_PROC_NULL) && source == (rank < 3 ? MPI_PROC_NULL : rank - 3));
  MPI_Cart_map(MPI_COMM_WORLD, 1, small, periods, &dest);
  assert(dest == (rank < 4 ? rank : MPI_UNDEFINED));
  slices(grid, rank);
  MPI_Comm_dup(grid, &copy);
  MPI_Topo_test(copy, &status);
  assert(status == MPI_CART);
  MPI_Cart_create(MPI_COMM_WORLD, 1, small, periods, 0, &line);
  assert((line == MPI_COMM_NULL) == (rank >= 4));
  if (line != MPI_COMM_NULL) MPI_Comm_free(&line);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&grid);
  MPI_Finalize();
  return 0;
}
