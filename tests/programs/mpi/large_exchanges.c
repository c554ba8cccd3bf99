// SPDX-License-Identifier: MIT
//
// Collectives that move much: everybody gets what was there when it was given, whatever the givers do to it as soon as
// they go on, wherever it goes: to places of its own, in place, or into types with gaps.
//
// ranks: 4
// check: verified
// executions: 1
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { n = 6000 };  // ints of a block

static int size, rank;

static int value(int from, int to, int i) { return (from * 100 + to) * 10000 + i; }

static void expect(int right, int what) {
  if (!right) MPI_Abort(MPI_COMM_WORLD, what);
}

static void fill(int *blocks) {
  for (int to = 0; to < size; ++to)
    for (int i = 0; i < n; ++i) blocks[to * n + i] = value(rank, to, i);
}

// Whether the blocks are what each rank had for `me`, `step` ints from number to number.
static int is_right(const int *blocks, int me, int step) {
  for (int from = 0; from < size; ++from)
    for (int i = 0; i < n; ++i)
      if (blocks[(from * n + i) * step] != value(from, me, i)) return 0;
  return 1;
}

static void everybody_to_all(int *out, int *in, int *counts, int *places) {
  MPI_Datatype spaced;
  fill(out);
  MPI_Alltoall(out, n, MPI_INT, in, n, MPI_INT, MPI_COMM_WORLD);
  memset(out, -1, size * n * sizeof *out);
  expect(is_right(in, rank, 1), 1);
  fill(in);
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INT, in, n, MPI_INT, MPI_COMM_WORLD);
  expect(is_right(in, rank, 1), 2);
  fill(out);
  MPI_Alltoallv(out, counts, places, MPI_INT, in, counts, places, MPI_INT, MPI_COMM_WORLD);
  memset(out, -1, size * n * sizeof *out);
  expect(is_right(in, rank, 1), 3);
  MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &spaced);
  MPI_Type_commit(&spaced);
  fill(out);
  if (rank % 2 == 0) {
    MPI_Alltoall(out, n, MPI_INT, in, n, spaced, MPI_COMM_WORLD);
    expect(is_right(in, rank, 2), 4);
  } else {
    MPI_Alltoall(out, n, MPI_INT, in, n, MPI_INT, MPI_COMM_WORLD);
    expect(is_right(in, rank, 1), 5);
  }
  memset(out, -1, size * n * sizeof *out);
  MPI_Type_free(&spaced);
}

static void one_and_all(int *out, int *in, int *counts, int *places, int root) {
  fill(out);
  MPI_Gather(out + root * n, n, MPI_INT, in, n, MPI_INT, root, MPI_COMM_WORLD);
  memset(out, -1, size * n * sizeof *out);
  expect(rank != root || is_right(in, root, 1), 6);
  fill(out);
  MPI_Gatherv(out + root * n, n, MPI_INT, in, counts, places, MPI_INT, root, MPI_COMM_WORLD);
  memset(out, -1, size * n * sizeof *out);
  expect(rank != root || is_right(in, root, 1), 7);
  fill(out);
  MPI_Scatter(out, n, MPI_INT, rank == root ? MPI_IN_PLACE : in, n, MPI_INT, root, MPI_COMM_WORLD);
  memset(out, -1, size * n * sizeof *out);
  for (int i = 0; i < n && rank != root; ++i) expect(in[i] == value(root, rank, i), 8);
  fill(out);
  MPI_Scatterv(out, counts, places, MPI_INT, in, n, MPI_INT, root, MPI_COMM_WORLD);
  memset(out, -1, size * n * sizeof *out);
  for (int i = 0; i < n; ++i) expect(in[i] == value(root, rank, i), 9);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int *out = malloc(size * n * sizeof *out), *in = malloc(2 * size * n * sizeof *in);
  int *counts = malloc(size * sizeof *counts), *places = malloc(size * sizeof *places);
  for (int i = 0; i < size; ++i) {
    counts[i] = n;
    places[i] = i * n;
  }
  everybody_to_all(out, in, counts, places);
  one_and_all(out, in, counts, places, 0);
  one_and_all(out, in, counts, places, size - 1);
  free(out);
  free(in);
  free(counts);
  free(places);
  MPI_Finalize();
  return 0;
}
