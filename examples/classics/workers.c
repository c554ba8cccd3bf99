// SPDX-License-Identifier: MIT
//
// Workers: the prime factors of a number (36, or the argument), by a pool of workers. Their answers decide which tasks
// remain. A worker splits its number into two factors, which are two new tasks, or answers that it is prime.
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { tag_number, tag_factor, tag_stop, most = 64 };

static int smallest_factor(int number) {
  for (int factor = 2; factor * factor <= number; ++factor)
    if (number % factor == 0) return factor;
  return number;
}

struct pool {
  int waiting[most], waits;  // numbers that nobody works on
  int idle[most], idles;     // workers without a number, the last one is the next to get one
  int at_work;
};

static void hand_out(struct pool* pool, int* given) {
  while (pool->waits > 0 && pool->idles > 0) {
    const int worker = pool->idle[--pool->idles];
    given[worker] = pool->waiting[--pool->waits];
    MPI_Send(&given[worker], 1, MPI_INT, worker, tag_number, MPI_COMM_WORLD);
    ++pool->at_work;
  }
}

// The product of the prime factors that were found.
static int be_master(int workers, int number) {
  struct pool pool = {{number}, 1, {0}, 0, 0};
  int given[most], product = 1;
  for (int worker = workers; worker > 0; --worker) pool.idle[pool.idles++] = worker;
  hand_out(&pool, given);
  while (pool.at_work > 0) {
    int factor;
    MPI_Status status;
    MPI_Recv(&factor, 1, MPI_INT, MPI_ANY_SOURCE, tag_factor, MPI_COMM_WORLD, &status);
    const int worker = status.MPI_SOURCE;
    --pool.at_work;
    pool.idle[pool.idles++] = worker;
    if (factor == given[worker]) {
      product *= factor;
    } else {
      pool.waiting[pool.waits++] = factor;
      pool.waiting[pool.waits++] = given[worker] / factor;
    }
    hand_out(&pool, given);
  }
  for (int worker = 1; worker <= workers; ++worker)
    MPI_Send(&number, 1, MPI_INT, worker, tag_stop, MPI_COMM_WORLD);
  return product;
}

static void be_worker(void) {
  for (;;) {
    int number;
    MPI_Status status;
    MPI_Recv(&number, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    if (status.MPI_TAG == tag_stop) return;
    const int factor = smallest_factor(number);
    MPI_Send(&factor, 1, MPI_INT, 0, tag_factor, MPI_COMM_WORLD);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int number = argc > 1 ? atoi(argv[1]) : 36;
  if (size > most) MPI_Abort(MPI_COMM_WORLD, 2);
  if (rank == 0) assert(be_master(size - 1, number) == number);
  else be_worker();
  MPI_Finalize();
  return 0;
}
