// SPDX-License-Identifier: MIT
//
// A stencil on a grid whose rows are shared out and lie in a window: while the outermost rows travel, all others are
// computed. Each rank puts its first row to the rank above, gets its upper halo from there, and accumulates a number in
// the window of the rank below. The arguments are the kind of epochs (fence, lock, post, or messages: no window is
// used), how many rows each rank has, how long they are, and how many steps there are.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size, rows, columns;
static int above, below, neighbours[2], neighbour_count;
static MPI_Group group;

static void compute(const double *now, double *next, int from, int to) {
  for (int i = from; i < to; ++i)
    for (int j = 1; j < columns - 1; ++j) {
      const double *cell = now + (size_t)i * columns + j;
      next[(size_t)i * columns + j] = 0.2 * (cell[0] + cell[-1] + cell[1] + cell[-columns] + cell[columns]);
    }
}

static size_t row(int half, int i) { return ((size_t)half * (rows + 2) + i) * columns; }

// The operations of one step, on the half of the window that has the current values.
static void communicate(MPI_Win win, double *memory, int half, const double *one) {
  const MPI_Aint counter = (MPI_Aint)row(2, 0);
  if (above != MPI_PROC_NULL) {
    MPI_Put(memory + row(half, 1), columns, MPI_DOUBLE, above, (MPI_Aint)row(half, rows + 1), columns, MPI_DOUBLE, win);
    MPI_Get(memory + row(half, 0), columns, MPI_DOUBLE, above, (MPI_Aint)row(half, rows), columns, MPI_DOUBLE, win);
  }
  if (below != MPI_PROC_NULL) MPI_Accumulate(one, 1, MPI_DOUBLE, below, counter, 1, MPI_DOUBLE, MPI_SUM, win);
}

static void compute_inner(double *memory, int half) {
  compute(memory + row(half, 0), memory + row(1 - half, 0), 2, rows);
}

static void compute_outer(double *memory, int half) {
  compute(memory + row(half, 0), memory + row(1 - half, 0), 1, 2);
  compute(memory + row(half, 0), memory + row(1 - half, 0), rows, rows + 1);
}

static void step_with_messages(double *memory, int half, const double *one) {
  MPI_Request requests[6];
  double got = 0;
  MPI_Irecv(memory + row(half, 0), columns, MPI_DOUBLE, above, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(memory + row(half, rows + 1), columns, MPI_DOUBLE, below, 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Irecv(&got, 1, MPI_DOUBLE, above, 2, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(memory + row(half, 1), columns, MPI_DOUBLE, above, 1, MPI_COMM_WORLD, &requests[3]);
  MPI_Isend(memory + row(half, rows), columns, MPI_DOUBLE, below, 0, MPI_COMM_WORLD, &requests[4]);
  MPI_Isend(one, 1, MPI_DOUBLE, below, 2, MPI_COMM_WORLD, &requests[5]);
  compute_inner(memory, half);
  MPI_Waitall(6, requests, MPI_STATUSES_IGNORE);
  memory[row(2, 0)] += got;
  compute_outer(memory, half);
}

static void step_with_fences(MPI_Win win, double *memory, int half, const double *one) {
  communicate(win, memory, half, one);
  compute_inner(memory, half);
  MPI_Win_fence(0, win);
  compute_outer(memory, half);
  MPI_Win_fence(0, win);
}

static void step_with_locks(MPI_Win win, double *memory, int half, const double *one) {
  MPI_Win_lock_all(0, win);
  communicate(win, memory, half, one);
  compute_inner(memory, half);
  MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  compute_outer(memory, half);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void step_with_posts(MPI_Win win, double *memory, int half, const double *one) {
  MPI_Win_post(group, 0, win);
  MPI_Win_start(group, 0, win);
  communicate(win, memory, half, one);
  MPI_Win_complete(win);
  compute_inner(memory, half);
  MPI_Win_wait(win);
  compute_outer(memory, half);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const char *kind = argc > 1 ? argv[1] : "fence";
  rows = argc > 2 ? atoi(argv[2]) : 64;
  columns = argc > 3 ? atoi(argv[3]) : 64;
  const int steps = argc > 4 ? atoi(argv[4]) : 10;
  above = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  below = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
  if (above != MPI_PROC_NULL) neighbours[neighbour_count++] = above;
  if (below != MPI_PROC_NULL) neighbours[neighbour_count++] = below;
  MPI_Group all;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, neighbour_count, neighbours, &group);
  const size_t count = row(2, 0) + 1;
  double *memory = calloc(count, sizeof *memory);
  const double one = 1;
  MPI_Win win = MPI_WIN_NULL;
  const int has_window = strcmp(kind, "messages") != 0;
  if (has_window)
    MPI_Win_create(memory, count * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  if (strcmp(kind, "fence") == 0) MPI_Win_fence(0, win);
  for (int step = 0; step < steps; ++step) {
    const int half = step % 2;
    if (!has_window) step_with_messages(memory, half, &one);
    else if (strcmp(kind, "fence") == 0) step_with_fences(win, memory, half, &one);
    else if (strcmp(kind, "lock") == 0) step_with_locks(win, memory, half, &one);
    else step_with_posts(win, memory, half, &one);
  }
  if (has_window) MPI_Win_free(&win);
  if (rank == size - 1 && memory[row(2, 0)] != (size > 1 ? steps : 0)) {
    fprintf(stderr, "windows: the counter is %g\n", memory[row(2, 0)]);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Group_free(&all);
  MPI_Group_free(&group);
  free(memory);
  MPI_Finalize();
  return 0;
}
