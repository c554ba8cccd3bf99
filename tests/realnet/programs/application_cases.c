// SPDX-License-Identifier: MIT
//
// Cases of applications: the communication of some NAS Parallel Benchmarks, of a halo exchange and of a master with
// workers, in a few iterations and without computation. `bytes` is the size of the largest message.
//
// Source of the patterns: D. Bailey et al., The NAS Parallel Benchmarks, RNR-94-007, and the descriptions of their MPI
// versions: NPB 2.0, NAS-95-020. Our sizes and numbers of iterations are small.
#include <string.h>

#include "real_bench.h"

// ---- a grid of ranks: `columns` is 1, 2, 2, 4 for 1, 2, 4, 8 ranks

static int columns_of(const World* world) {
  int columns = 1;
  while (columns * columns < world->size) columns *= 2;
  return columns;
}

// The neighbour `right` columns and `down` rows away, or MPI_PROC_NULL.
static int neighbour(const World* world, int right, int down) {
  const int columns = columns_of(world), rows = world->size / columns;
  const int column = world->rank % columns + right, row = world->rank / columns + down;
  return column < 0 || row < 0 || column >= columns || row >= rows ? MPI_PROC_NULL : row * columns + column;
}

static void exchange(const World* world, int partner, int bytes) {
  MPI_Request request;
  MPI_Irecv(world->receive, bytes, MPI_CHAR, partner, 0, MPI_COMM_WORLD, &request);
  MPI_Send(world->send, bytes, MPI_CHAR, partner, 0, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void sum_of_all(void) {
  double mine = 1, all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

// ---- CG: sums of vectors and of numbers over the rows of the grid, exchanges with the transposed rank

static double cg(const World* world, int bytes) {
  const int columns = columns_of(world), column = world->rank % columns, first = world->rank - column;
  for (int iteration = 0; iteration < 4; ++iteration) {
    for (int distance = 1; distance < columns; distance *= 2) exchange(world, first + (column ^ distance), bytes);
    if (world->size > 1) exchange(world, world->size - 1 - world->rank, bytes / columns);
    for (int product = 0; product < 2; ++product)
      for (int distance = 1; distance < columns; distance *= 2) exchange(world, first + (column ^ distance), 8);
  }
  return 0;
}

// ---- FT: transpositions and checksums

static double ft(const World* world, int bytes) {
  for (int iteration = 0; iteration < 2; ++iteration) {
    MPI_Alltoall(world->send, bytes, MPI_CHAR, world->receive, bytes, MPI_CHAR, MPI_COMM_WORLD);
    MPI_Reduce(world->send, world->receive, 2, MPI_INT, MPI_BXOR, 0, MPI_COMM_WORLD);
  }
  return 0;
}

// ---- IS: sizes of buckets, then keys; the ranks send different amounts

static double is(const World* world, int bytes) {
  int sends[64], receives[64], from[64], to[64], counts[64];
  for (int iteration = 0; iteration < 2; ++iteration) {
    MPI_Allreduce(world->send, world->receive, 1024, MPI_INT, MPI_BXOR, MPI_COMM_WORLD);
    for (int i = 0; i < world->size; ++i) {
      sends[i] = bytes / 2 + (world->rank + i) % 4 * (bytes / 6);
      from[i] = to[i] = i * bytes;
    }
    MPI_Alltoall(sends, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
    memcpy(receives, counts, sizeof receives);
    MPI_Alltoallv(world->send, sends, from, MPI_CHAR, world->receive, receives, to, MPI_CHAR, MPI_COMM_WORLD);
  }
  return 0;
}

// ---- LU: wavefronts through the grid, plane by plane, from both corners

static void sweep(const World* world, int direction, int bytes) {
  for (int plane = 0; plane < 8; ++plane) {
    MPI_Recv(world->receive, bytes, MPI_CHAR, neighbour(world, -direction, 0), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(world->receive, bytes, MPI_CHAR, neighbour(world, 0, -direction), 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(world->send, bytes, MPI_CHAR, neighbour(world, direction, 0), 1, MPI_COMM_WORLD);
    MPI_Send(world->send, bytes, MPI_CHAR, neighbour(world, 0, direction), 2, MPI_COMM_WORLD);
  }
}

static double lu(const World* world, int bytes) {
  sweep(world, 1, bytes);
  sweep(world, -1, bytes);
  sum_of_all();
  return 0;
}

// ---- halos: the faces of four neighbours at once

static void halo(const World* world, int bytes) {
  const int right[] = {1, -1, 0, 0}, down[] = {0, 0, 1, -1};
  MPI_Request requests[8];
  MPI_Status statuses[8];
  for (int side = 0; side < 4; ++side)
    MPI_Irecv(world->receive + (size_t)side * bytes, bytes, MPI_CHAR, neighbour(world, right[side], down[side]), 0,
              MPI_COMM_WORLD, &requests[side]);
  for (int side = 0; side < 4; ++side)
    MPI_Isend(world->send + (size_t)side * bytes, bytes, MPI_CHAR, neighbour(world, right[side], down[side]), 0,
              MPI_COMM_WORLD, &requests[4 + side]);
  MPI_Waitall(8, requests, statuses);
}

static double halo2d(const World* world, int bytes) {
  for (int iteration = 0; iteration < 4; ++iteration) {
    halo(world, bytes);
    sum_of_all();
  }
  return 0;
}

// ---- MG: halos of a hierarchy of grids, down and up again

static double mg(const World* world, int bytes) {
  for (int level = bytes; level >= 16; level /= 4) halo(world, level);
  for (int level = 16; level <= bytes; level *= 4) halo(world, level);
  sum_of_all();
  return 0;
}

// ---- a master hands out tasks of 64 bytes and takes results of `bytes` in any order

static double master_worker(const World* world, int bytes) {
  enum { tasks_per_worker = 6, task_bytes = 64 };
  const int workers = world->size - 1, tasks = workers * tasks_per_worker;
  if (world->rank != 0) {
    for (;;) {
      MPI_Status status;
      MPI_Recv(world->receive, task_bytes, MPI_CHAR, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
      if (status.MPI_TAG == 0) return 0;
      MPI_Send(world->send, bytes, MPI_CHAR, 0, 2, MPI_COMM_WORLD);
    }
  }
  for (int worker = 1; worker <= workers; ++worker)
    MPI_Send(world->send, task_bytes, MPI_CHAR, worker, 1, MPI_COMM_WORLD);
  for (int done = 1; done <= tasks; ++done) {
    MPI_Status status;
    MPI_Recv(world->receive, bytes, MPI_CHAR, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &status);
    const int is_last = done + workers > tasks;
    MPI_Send(world->send, is_last ? 0 : task_bytes, MPI_CHAR, status.MPI_SOURCE, !is_last, MPI_COMM_WORLD);
  }
  return 0;
}

// ---- DT: a tree in which each rank has four children; the data flow to rank 0 (black hole) or from it (white hole)

enum { children = 4 };

static double dt_black_hole(const World* world, int bytes) {
  for (int child = children * world->rank + 1; child <= children * (world->rank + 1) && child < world->size; ++child)
    MPI_Recv(world->receive, bytes, MPI_CHAR, child, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (world->rank > 0)
    MPI_Send(world->send, bytes, MPI_CHAR, (world->rank - 1) / children, 0, MPI_COMM_WORLD);
  return 0;
}

static double dt_white_hole(const World* world, int bytes) {
  if (world->rank > 0)
    MPI_Recv(world->receive, bytes, MPI_CHAR, (world->rank - 1) / children, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int child = children * world->rank + 1; child <= children * (world->rank + 1) && child < world->size; ++child)
    MPI_Send(world->send, bytes, MPI_CHAR, child, 0, MPI_COMM_WORLD);
  return 0;
}

// ---- EP: sums at the end

static double ep(const World* world, int bytes) {
  (void)bytes;
  sum_of_all();
  sum_of_all();
  MPI_Allreduce(world->send, world->receive, 10, MPI_INT, MPI_BXOR, MPI_COMM_WORLD);
  return 0;
}

const Case application_cases[] = {
    {"cg", cg, 2, {1024, 32768, -1}},
    {"ft", ft, 2, {1024, 32768, -1}},
    {"is", is, 2, {1024, 32768, -1}},
    {"lu", lu, 2, {256, 4096, -1}},
    {"mg", mg, 2, {1024, 65536, -1}},
    {"halo2d", halo2d, 2, {1024, 32768, -1}},
    {"master_worker", master_worker, 2, {64, 16384, -1}},
    {"dt_black_hole", dt_black_hole, 2, {1024, 65536, -1}},
    {"dt_white_hole", dt_white_hole, 2, {1024, 65536, -1}},
    {"ep", ep, 2, {40, -1}},
    {NULL, NULL, 0, {-1}},
};
