// SPDX-License-Identifier: MIT
//
// A mesh of blocks that is refined and coarsened, with the pattern of miniAMR: every rank has many more blocks than it
// uses, each an array of four dimensions made of many small allocations; faces go by MPI_Irecv, MPI_Isend and
// MPI_Waitany; counts of blocks by MPI_Allreduce and MPI_Alltoall; the blocks of a level have a communicator.
// refined_blocks [BLOCKS of a rank] [POINTS of a block in each direction] [STEPS]
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { variables = 20, most_neighbours = 6 };

typedef double ****Block;

static int points;

static void *get(size_t bytes) {
  void *block = malloc(bytes);
  assert(block != NULL);
  return block;
}

// Rows of points + 2 values are allocations of their own, as are the arrays of pointers to them.
static Block make_block(void) {
  const int n = points + 2;
  Block block = get(sizeof(double ***) * variables);
  for (int v = 0; v < variables; ++v) {
    block[v] = get(sizeof(double **) * n);
    for (int i = 0; i < n; ++i) {
      block[v][i] = get(sizeof(double *) * n);
      for (int j = 0; j < n; ++j) block[v][i][j] = get(sizeof(double) * n);
    }
  }
  return block;
}

static void free_block(Block block) {
  const int n = points + 2;
  for (int v = 0; v < variables; ++v) {
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) free(block[v][i][j]);
      free(block[v][i]);
    }
    free(block[v]);
  }
  free(block);
}

static void fill(Block block, double value) {
  for (int v = 0; v < variables; ++v)
    for (int i = 0; i < points + 2; ++i)
      for (int j = 0; j < points + 2; ++j)
        for (int k = 0; k < points + 2; ++k) block[v][i][j][k] = value + v;
}

static double sweep(Block block) {
  double sum = 0;
  for (int v = 0; v < variables; ++v)
    for (int i = 1; i <= points; ++i)
      for (int j = 1; j <= points; ++j)
        for (int k = 1; k <= points; ++k) {
          block[v][i][j][k] = (block[v][i - 1][j][k] + block[v][i + 1][j][k] + block[v][i][j - 1][k] +
                               block[v][i][j + 1][k] + block[v][i][j][k - 1] + block[v][i][j][k + 1]) / 6;
          sum += block[v][i][j][k];
        }
  return sum;
}

// Of the first or the last plane; returns the number of values.
static int pack(Block block, int plane, double *to) {
  int count = 0;
  for (int v = 0; v < variables; ++v)
    for (int j = 1; j <= points; ++j)
      for (int k = 1; k <= points; ++k) to[count++] = block[v][plane][j][k];
  return count;
}

static void unpack(Block block, int plane, const double *from) {
  for (int v = 0; v < variables; ++v)
    for (int j = 1; j <= points; ++j)
      for (int k = 1; k <= points; ++k) block[v][plane][j][k] = *from++;
}

int main(int argc, char **argv) {
  int me, ranks, grid[3] = {0, 0, 0}, period[3] = {0, 0, 0}, neighbours[most_neighbours], count = 0;
  MPI_Init(&argc, &argv);
  const int blocks = argc > 1 ? atoi(argv[1]) : 50;
  points = argc > 2 ? atoi(argv[2]) : 10;
  const int steps = argc > 3 ? atoi(argv[3]) : 20;
  MPI_Comm comm;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Dims_create(ranks, 3, grid);
  MPI_Cart_create(MPI_COMM_WORLD, 3, grid, period, 0, &comm);
  MPI_Comm_rank(comm, &me);
  for (int d = 0; d < 3; ++d) {
    int low, high;
    MPI_Cart_shift(comm, d, 1, &low, &high);
    if (low != MPI_PROC_NULL) neighbours[count++] = low;
    if (high != MPI_PROC_NULL) neighbours[count++] = high;
  }
  Block *mesh = get(sizeof(Block) * blocks);
  for (int b = 0; b < blocks; ++b) mesh[b] = make_block();
  int used = blocks / 8 > 0 ? blocks / 8 : 1;
  for (int b = 0; b < used; ++b) fill(mesh[b], me + b);
  const int face = variables * points * points;
  double *in = get(sizeof(double) * face * most_neighbours), *out = get(sizeof(double) * face * most_neighbours);
  int *given = get(sizeof(int) * ranks), *taken = get(sizeof(int) * ranks);
  double all = 0;
  for (int step = 0; step < steps; ++step) {
    if (step % 5 == 4) {  // refine on some ranks, coarsen on the others
      const int refines = (me + step) % 2;
      for (int b = 0; b < used && b < 2; ++b) {
        free_block(mesh[blocks - 1 - b]);
        mesh[blocks - 1 - b] = make_block();
        if (refines) fill(mesh[blocks - 1 - b], me);
      }
      for (int r = 0; r < ranks; ++r) given[r] = refines ? used : 0;
      MPI_Alltoall(given, 1, MPI_INT, taken, 1, MPI_INT, comm);
      MPI_Comm level, copy;
      MPI_Comm_split(comm, refines, me, &level);
      MPI_Comm_dup(level, &copy);
      int mine = used, sum = 0;
      MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, copy);
      assert(sum >= used);
      MPI_Comm_free(&copy);
      MPI_Comm_free(&level);
    }
    for (int b = 0; b < used; ++b) {
      MPI_Request receives[most_neighbours], sends[most_neighbours];
      for (int i = 0; i < count; ++i)
        MPI_Irecv(in + i * face, face, MPI_DOUBLE, neighbours[i], b, comm, &receives[i]);
      for (int i = 0; i < count; ++i) {
        pack(mesh[b], i % 2 ? points : 1, out + i * face);
        MPI_Isend(out + i * face, face, MPI_DOUBLE, neighbours[i], b, comm, &sends[i]);
      }
      for (int k = 0; k < count; ++k) {
        int i;
        MPI_Waitany(count, receives, &i, MPI_STATUS_IGNORE);
        unpack(mesh[b], i % 2 ? points + 1 : 0, in + i * face);
      }
      MPI_Waitall(count, sends, MPI_STATUSES_IGNORE);
    }
    double mine = 0;
    for (int b = 0; b < used; ++b) mine += sweep(mesh[b]);
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, comm);
  }
  if (me == 0) printf("%d ranks, %d blocks each: %.6e after %d steps\n", ranks, used, all, steps);
  for (int b = 0; b < blocks; ++b) free_block(mesh[b]);
  free(mesh), free(in), free(out), free(given), free(taken);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
