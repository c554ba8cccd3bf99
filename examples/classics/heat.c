// SPDX-License-Identifier: MIT
//
// Heat: a rod in pieces, one for each worker. In every step (1, or the first argument) the ends go to the neighbours.
// Before that, rank 0 assigns turns to the workers in the order of their reports. A worker with an even turn sends its
// ends and then receives. A worker with an odd turn posts its receives before it sends.
//
// As in the program of this name in comparisons of checkers, there is a deadlock if sends wait. It happens only in some
// orders of the reports, in which two neighbours have even turns, but not if the workers report in the order of their
// ranks. `heat STEPS right` assigns the turns by rank.
#include <assert.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { cells = 8 };
enum { tag_report, tag_turn, tag_to_left, tag_to_right };

// The temperature of all cells of the rod after `steps` steps, computed by one rank.
static void whole_rod(double* rod, int n, int steps) {
  double* next = malloc(n * sizeof *next);
  for (int i = 0; i < n; ++i) rod[i] = i % 5;
  for (int step = 0; step < steps; ++step) {
    for (int i = 0; i < n; ++i) {
      const double left = i > 0 ? rod[i - 1] : 0, right = i < n - 1 ? rod[i + 1] : 0;
      next[i] = rod[i] + 0.25 * (left - 2 * rod[i] + right);
    }
    memcpy(rod, next, n * sizeof *next);
  }
  free(next);
}

static void hand_out_turns(int size) {
  for (int turn = 0; turn < size - 1; ++turn) {
    int who;
    MPI_Recv(&who, 1, MPI_INT, MPI_ANY_SOURCE, tag_report, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&turn, 1, MPI_INT, who, tag_turn, MPI_COMM_WORLD);
  }
}

static int ask_for_turn(int rank) {
  int turn;
  MPI_Send(&rank, 1, MPI_INT, 0, tag_report, MPI_COMM_WORLD);
  MPI_Recv(&turn, 1, MPI_INT, 0, tag_turn, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return turn;
}

// Cells 0 and cells + 1 belong to the neighbours.
static void exchange_ends(double* cell, int turn, int left, int right) {
  MPI_Request requests[2];
  if (turn % 2 == 1) {
    MPI_Irecv(&cell[0], 1, MPI_DOUBLE, left, tag_to_right, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&cell[cells + 1], 1, MPI_DOUBLE, right, tag_to_left, MPI_COMM_WORLD, &requests[1]);
  }
  MPI_Send(&cell[1], 1, MPI_DOUBLE, left, tag_to_left, MPI_COMM_WORLD);
  MPI_Send(&cell[cells], 1, MPI_DOUBLE, right, tag_to_right, MPI_COMM_WORLD);
  if (turn % 2 == 1) {
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  } else {
    MPI_Recv(&cell[0], 1, MPI_DOUBLE, left, tag_to_right, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&cell[cells + 1], 1, MPI_DOUBLE, right, tag_to_left, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

static void be_worker(int rank, int size, int steps, int right_turns) {
  const int left = rank > 1 ? rank - 1 : MPI_PROC_NULL, right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
  const int turn = right_turns ? rank - 1 : ask_for_turn(rank);
  double cell[cells + 2] = {0}, next[cells + 2] = {0};
  for (int i = 0; i < cells; ++i) cell[i + 1] = ((rank - 1) * cells + i) % 5;
  for (int step = 0; step < steps; ++step) {
    exchange_ends(cell, turn, left, right);
    for (int i = 1; i <= cells; ++i) next[i] = cell[i] + 0.25 * (cell[i - 1] - 2 * cell[i] + cell[i + 1]);
    memcpy(cell, next, sizeof cell);
  }

  const int n = (size - 1) * cells;
  double* rod = malloc(n * sizeof *rod);
  whole_rod(rod, n, steps);
  for (int i = 0; i < cells; ++i) assert(fabs(cell[i + 1] - rod[(rank - 1) * cells + i]) < 1e-12);
  free(rod);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int steps = argc > 1 ? atoi(argv[1]) : 1;
  const int right = argc > 2 && strcmp(argv[2], "right") == 0;

  if (rank > 0) be_worker(rank, size, steps, right);
  if (rank == 0 && !right) hand_out_turns(size);
  MPI_Finalize();
  return 0;
}
