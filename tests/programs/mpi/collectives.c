// SPDX-License-Identifier: MIT
//
// Every blocking collective once, on integers, also in place.
// ranks: 4
// executions: 1
#include <assert.h>
#include <mpi.h>
#include <string.h>

static int rank, size;

static void move_blocks(void) {
  int value = rank == 2 ? 42 : 0, all[4], mine[4], counts[4], places[4];
  MPI_Bcast(&value, 1, MPI_INT, 2, MPI_COMM_WORLD);
  assert(value == 42);
  MPI_Gather(&rank, 1, MPI_INT, all, 1, MPI_INT, 1, MPI_COMM_WORLD);
  for (int i = 0; rank == 1 && i < size; ++i) assert(all[i] == i);
  for (int i = 0; i < size; ++i) mine[i] = 10 * rank + i, counts[i] = 1, places[i] = size - 1 - i;
  MPI_Scatter(mine, 1, MPI_INT, &value, 1, MPI_INT, 3, MPI_COMM_WORLD);
  assert(value == 30 + rank);
  MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < size; ++i) assert(all[i] == i);
  MPI_Allgatherv(&rank, 1, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < size; ++i) assert(all[size - 1 - i] == i);
  MPI_Alltoall(mine, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < size; ++i) assert(all[i] == 10 * i + rank);
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, mine, 1, MPI_INT, MPI_COMM_WORLD);
  assert(memcmp(all, mine, sizeof all) == 0);
}

static void combine(void) {
  int sum = -1, prefix, before = -1, part, ones[4] = {1, 1, 1, 1}, counts[4] = {0, 1, 2, 1}, parts[2];
  MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  assert(sum == (rank == 0 ? 6 : -1));
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  assert(sum == 3);
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  assert(sum == 12);
  MPI_Scan(&rank, &prefix, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  assert(prefix == rank * (rank + 1) / 2);
  MPI_Exscan(&rank, &before, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  assert(before == (rank == 0 ? -1 : rank * (rank - 1) / 2));
  MPI_Reduce_scatter_block(ones, &part, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  assert(part == size);
  MPI_Reduce_scatter(ones, parts, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < counts[rank]; ++i) assert(parts[i] == size);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Barrier(MPI_COMM_WORLD);
  move_blocks();
  combine();
  MPI_Finalize();
  return 0;
}
