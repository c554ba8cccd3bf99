// SPDX-License-Identifier: MIT
//
// Starts more operations on windows than a rank may go on behind, of sizes that fit and that do not, in epochs of
// fences, locks and posts.
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { operations = 40, most = 6000, part = operations * most };
static char out[operations][most], memory[3 * part], in[operations][most];

static int size_of(int operation) { return 1 + operation * operation * 4 % most; }

static void put_all(int target, int where, MPI_Win window) {
  for (int i = 0; i < operations; ++i)
    MPI_Put(out[i], size_of(i), MPI_CHAR, target, where * part + i * most, size_of(i), MPI_CHAR, window);
}

int main(int argc, char** argv) {
  int rank = 0, size = 0, sums[3] = {0, 0, 0}, got = 0, left, right;
  MPI_Win window;
  MPI_Group all, lefts, rights;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  left = (rank + size - 1) % size;
  right = (rank + 1) % size;
  memset(out, rank + 1, sizeof out);
  MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_fence(0, window);
  put_all(right, 0, window);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 1, &left, &lefts);
  MPI_Group_incl(all, 1, &right, &rights);
  MPI_Win_post(lefts, 0, window);
  MPI_Win_start(rights, 0, window);
  put_all(right, 1, window);
  MPI_Win_complete(window);
  MPI_Win_wait(window);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, right, 0, window);
  put_all(right, 2, window);
  MPI_Win_flush(right, window);
  for (int i = 0; i < operations; ++i)
    MPI_Get(in[i], size_of(i), MPI_CHAR, right, 2 * part + i * most, size_of(i), MPI_CHAR, window);
  MPI_Win_unlock(right, window);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, window);
  for (int i = 0; i < operations; ++i)
    for (int k = 0; k < size_of(i); ++k) {
      for (int where = 0; where < 3; ++where) sums[where] += memory[where * part + i * most + k] == (char)(left + 1);
      got += in[i][k] == (char)(rank + 1);
    }
  MPI_Win_unlock(rank, window);
  printf("%d %d %d %d\n", sums[0], sums[1], sums[2], got);
  MPI_Win_free(&window);
  MPI_Group_free(&lefts);
  MPI_Group_free(&rights);
  MPI_Group_free(&all);
  MPI_Finalize();
  return 0;
}
