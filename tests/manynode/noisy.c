// SPDX-License-Identifier: MIT
//
// Five programs whose computations take random times: the truth for tests of the many-node method.
// Usage: noisy stencil|cg|ft|lu|hpcg SEED ITERATIONS
//
// The work of a rank does not depend on the number of ranks (weak scaling). Each computation is a region with a name,
// in which only simulated time passes. The random numbers are those of SplitMix64, which the method itself does not
// use.
#include <math.h>
#include <mpi.h>
#include <rehearse.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t seed;
static int rank, ranks, rows, columns;

static uint64_t mixed(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

/* Uniform in (0, 1); `who` is a rank, or -1 for all. */
static double uniform(int who, int turn, int stream) {
  const uint64_t word = mixed(mixed(mixed(mixed(seed) + (uint64_t)(who + 1)) + (uint64_t)turn) + (uint64_t)stream);
  return ((double)(word >> 12) + 0.5) * 0x1p-52;
}

static double normal(int who, int turn, int stream) {
  return sqrt(-2 * log(uniform(who, turn, 2 * stream))) * cos(2 * M_PI * uniform(who, turn, 2 * stream + 1));
}

static void work(const char* name, double seconds) {
  rehearse_begin(name);
  rehearse_compute_for(seconds);
  rehearse_end();
}

/* Exchanges `bytes` with the four neighbours on the torus of rows and columns. */
static void exchange(char* buffer, int bytes) {
  const int row = rank / columns, column = rank % columns;
  const int peers[4] = {row * columns + (column + 1) % columns, row * columns + (column + columns - 1) % columns,
                        (row + 1) % rows * columns + column, (row + rows - 1) % rows * columns + column};
  MPI_Request requests[8];
  for (int i = 0; i < 4; ++i)
    MPI_Irecv(buffer + (size_t)i * bytes, bytes, MPI_BYTE, peers[i], i ^ 1, MPI_COMM_WORLD, &requests[i]);
  for (int i = 0; i < 4; ++i)
    MPI_Isend(buffer + (size_t)(4 + i) * bytes, bytes, MPI_BYTE, peers[i], i, MPI_COMM_WORLD, &requests[4 + i]);
  MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
}

static void sum(void) {
  double one = 1, all;
  MPI_Allreduce(&one, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

/* Halos each time, a sum each time; times with a long tail. */
static void stencil(int turns, char* buffer) {
  for (int i = 0; i < turns; ++i) {
    work("update", exp(-6.2 + 0.3 * normal(rank, i, 0)));
    exchange(buffer, 16384);
    sum();
  }
}

/* A product with halos and two sums; some ranks are always slower. */
static void cg(int turns, char* buffer) {
  const double slow = exp(0.06 * normal(rank, -1, 7));
  for (int i = 0; i < turns; ++i) {
    work("product", slow * (1.5e-3 - 0.2e-3 * log(uniform(rank, i, 0))));
    exchange(buffer, 8192);
    sum();
    work("update", slow * 0.3e-3 * exp(0.1 * normal(rank, i, 1)));
    sum();
  }
}

/* Two rows of transforms around a transposition of everything. */
static void ft(int turns, char* buffer) {
  const int bytes = 262144 / ranks;
  for (int i = 0; i < turns; ++i) {
    work("transform", 4e-3 * pow(uniform(rank, i, 0), -1 / 7.0));
    MPI_Alltoall(buffer, bytes, MPI_BYTE, buffer + 262144, bytes, MPI_BYTE, MPI_COMM_WORLD);
  }
}

/* A wave from the first rank to the last one and back; in some iterations all ranks are slow. */
static void lu(int turns, char* buffer) {
  const int row = rank / columns, column = rank % columns;
  for (int i = 0; i < turns; ++i) {
    const double common = exp(0.15 * normal(-1, i, 5));
    if (row > 0) MPI_Recv(buffer, 2048, MPI_BYTE, rank - columns, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (column > 0) MPI_Recv(buffer, 2048, MPI_BYTE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    work("lower", common * 0.5e-3 * exp(0.2 * normal(rank, i, 0)));
    if (row + 1 < rows) MPI_Send(buffer, 2048, MPI_BYTE, rank + columns, 0, MPI_COMM_WORLD);
    if (column + 1 < columns) MPI_Send(buffer, 2048, MPI_BYTE, rank + 1, 0, MPI_COMM_WORLD);
    work("rest", common * 4e-3 * exp(0.2 * normal(rank, i, 1)));
    if (i % 5 == 4) sum();
  }
}

/* A cycle over grids of sizes 8, 4, 2, 1, 1, 2, 4, 8; now and then a computation takes twice as long. */
static void hpcg(int turns, char* buffer) {
  static const int sizes[8] = {8, 4, 2, 1, 1, 2, 4, 8};
  for (int i = 0; i < turns; ++i) {
    for (int k = 0; k < 8; ++k) {
      const double late = uniform(rank, i, 20 + k) < 0.01 ? 1.3 : 1;
      work("smooth", late * 0.5e-3 * sizes[k] * exp(0.07 * normal(rank, i, k)));
      exchange(buffer, 1024 * sizes[k]);
    }
    sum();
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc != 4) return 2;
  seed = strtoull(argv[2], NULL, 10);
  const int turns = atoi(argv[3]);
  int sizes[2] = {0, 0};
  MPI_Dims_create(ranks, 2, sizes);
  rows = sizes[0], columns = sizes[1];
  char* buffer = calloc(1, 1 << 20);
  const struct {
    const char* name;
    void (*run)(int, char*);
  } programs[] = {{"stencil", stencil}, {"cg", cg}, {"ft", ft}, {"lu", lu}, {"hpcg", hpcg}};
  for (int i = 0; i < 5; ++i)
    if (strcmp(argv[1], programs[i].name) == 0) programs[i].run(turns, buffer);
  free(buffer);
  MPI_Finalize();
  return 0;
}
