// SPDX-License-Identifier: MIT
//
// Neighbours on periodic grids of one and two processes a dimension: what is sent in a direction comes from the other
// one, although the same process is on both sides.
// ranks: 2
// executions: 1
#include <assert.h>
#include <mpi.h>

static int rank, size;

static void check(MPI_Comm grid, int dimensions) {
  int out[4], in[4], left, right, gathered[4];
  for (int i = 0; i < 2 * dimensions; ++i) out[i] = 10 * rank + i;
  MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, grid);
  MPI_Neighbor_allgather(&rank, 1, MPI_INT, gathered, 1, MPI_INT, grid);
  for (int d = 0; d < dimensions; ++d) {
    MPI_Cart_shift(grid, d, 1, &left, &right);
    assert(in[2 * d] == 10 * left + 2 * d + 1 && in[2 * d + 1] == 10 * right + 2 * d);
    assert(gathered[2 * d] == left && gathered[2 * d + 1] == right);
  }
  MPI_Request request;
  for (int i = 0; i < 4; ++i) in[i] = -1;
  MPI_Ineighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, grid, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Cart_shift(grid, 0, 1, &left, &right);
  assert(in[0] == 10 * left + 1 && in[1] == 10 * right);
}

int main(int argc, char** argv) {
  const int shape[2] = {2, 1}, around[2] = {1, 1};
  int none[1] = {0};
  MPI_Comm grid;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Cart_create(MPI_COMM_WORLD, 1, shape, around, 0, &grid);
  check(grid, 1);
  MPI_Comm_free(&grid);
  MPI_Cart_create(MPI_COMM_WORLD, 2, shape, around, 0, &grid);
  check(grid, 2);
  MPI_Comm_free(&grid);
  assert(MPI_Dims_create(1, 0, none) == MPI_SUCCESS);
  MPI_Finalize();
  return 0;
}
