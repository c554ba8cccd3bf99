// SPDX-License-Identifier: MIT
//
// Floyd: the lengths of the shortest paths between all pairs of vertices (one vertex per rank). Each rank owns a row of
// the matrix. In step k the owner of row k sends it to all ranks. A rank receives a row from any source, but with a tag
// that only one rank can have sent.
//
// `floyd any` takes rows in any order and keeps the early ones until they are needed.
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int length_of(int from, int to) { return from == to ? 0 : 1 + (from * 31 + to * 17) % 23; }

static void shorten(int* row, int to_k, const int* row_k, int n) {
  for (int i = 0; i < n; ++i)
    if (to_k + row_k[i] < row[i]) row[i] = to_k + row_k[i];
}

static void send_row(const int* row, int n, int k) {
  for (int other = 0; other < n; ++other)
    if (other != k) MPI_Send(row, n, MPI_INT, other, k, MPI_COMM_WORLD);
}

// Receives row k into rows[k]. Rows that come earlier go into their own places, where later steps find them.
static void receive_row(int* rows, char* have, int n, int k, int any) {
  int* space = malloc(n * sizeof *space);
  while (!have[k]) {
    MPI_Status status;
    MPI_Recv(space, n, MPI_INT, MPI_ANY_SOURCE, any ? MPI_ANY_TAG : k, MPI_COMM_WORLD, &status);
    memcpy(&rows[status.MPI_TAG * n], space, n * sizeof *space);
    have[status.MPI_TAG] = 1;
  }
  free(space);
}

static void compare_with_one_matrix(const int* mine, int rank, int n) {
  int* all = malloc((size_t)n * n * sizeof *all);
  for (int i = 0; i < n * n; ++i) all[i] = length_of(i / n, i % n);
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < n; ++i) shorten(&all[i * n], all[i * n + k], &all[k * n], n);
  for (int i = 0; i < n; ++i) assert(mine[i] == all[rank * n + i]);
  free(all);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, n;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  const int any = argc > 1 && strcmp(argv[1], "any") == 0;
  int* rows = malloc((size_t)n * n * sizeof *rows);
  char* have = calloc(n, 1);
  int* mine = &rows[rank * n];
  for (int i = 0; i < n; ++i) mine[i] = length_of(rank, i);

  for (int k = 0; k < n; ++k) {
    if (k == rank) {
      send_row(mine, n, k);
    } else {
      receive_row(rows, have, n, k, any);
      shorten(mine, mine[k], &rows[k * n], n);
    }
  }
  compare_with_one_matrix(mine, rank, n);
  free(have);
  free(rows);
  MPI_Finalize();
  return 0;
}
