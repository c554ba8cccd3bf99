// SPDX-License-Identifier: MIT
//
// In an optimized program the argument of an inlined function has the memory of an array that is not yet in use.
// check: none
// ranks: 3
// compile: -O2
#include <mpi.h>

static int ask(int number) {
  int answer;
  MPI_Send(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  MPI_Recv(&answer, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return answer;
}

static void work(int rank, int size) {
  const int answer = ask(rank);
  double sum[10] = {0}, all[10] = {0};
  for (int i = 0; i < 10; ++i) sum[i] = answer + i;
  MPI_Sendrecv(sum, 10, MPI_DOUBLE, size - rank, 1, all, 10, MPI_DOUBLE, size - rank, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
}

static void answer_all(int size) {
  for (int i = 1; i < size; ++i) {
    int number;
    MPI_Recv(&number, 1, MPI_INT, i, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&i, 1, MPI_INT, number, 0, MPI_COMM_WORLD);
  }
}

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank > 0) work(rank, size);
  if (rank == 0) answer_all(size);
  MPI_Finalize();
  return 0;
}
