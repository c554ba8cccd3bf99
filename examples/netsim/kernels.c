// SPDX-License-Identifier: MIT
//
// Six small programs with the patterns of communication of the NAS Parallel Benchmarks on 4 ranks, for the influence of
// a slow link: is, bt, lu, mg, cg and ep. They exchange data of the sizes of class W, and compute nothing: the time of
// computation is stated in flops. Its volumes are chosen; the messages follow the benchmarks. Argument: the name.
// Source of the patterns: The NAS Parallel Benchmarks, RNR-94-007, and NAS-95-020.
#include <mpi.h>
#include <rehearse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { tag = 0, ranks_wanted = 4 };

typedef struct {
  int rank, across, along;  // the neighbours in the 2 x 2 grid of ranks
  char *sent, *received;    // at least most_bytes
} Ranks;

enum { most_bytes = 1 << 21 };

static void swap_with(const Ranks* ranks, int partner, int bytes) {
  MPI_Sendrecv(ranks->sent, bytes, MPI_BYTE, partner, tag, ranks->received, bytes, MPI_BYTE, partner, tag,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

// Sorts 2^20 keys of 4 bytes ten times: the sizes of the buckets are added up, then all keys change their rank.
static void is(const Ranks* ranks) {
  enum { keys = 1 << 20, buckets = 1024 };
  for (int i = 0; i < 10; ++i) {
    rehearse_compute_flops(3.4e7);
    MPI_Allreduce(ranks->sent, ranks->received, buckets, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Alltoall(ranks->sent, 1, MPI_INT, ranks->received, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoall(ranks->sent, keys / ranks_wanted / ranks_wanted, MPI_INT, ranks->received,
                 keys / ranks_wanted / ranks_wanted, MPI_INT, MPI_COMM_WORLD);
  }
}

// A cube of 24^3 points with 5 unknowns, divided into 2 x 2 x 2 cells, two for each rank: faces in each step, then
// sweeps forth and back through the cells in three directions.
static void bt(const Ranks* ranks) {
  enum { face = 2 * 12 * 12 * 5 * 8, forth = 12 * 12 * (5 * 5 + 5) * 8, back = 12 * 12 * 5 * 8 };
  for (int step = 0; step < 40; ++step) {
    for (int direction = 0; direction < 3; ++direction)
      swap_with(ranks, direction % 2 == 0 ? ranks->across : ranks->along, 2 * face);
    for (int direction = 0; direction < 3; ++direction) {
      const int partner = direction % 2 == 0 ? ranks->across : ranks->along;
      rehearse_compute_flops(5e6);
      swap_with(ranks, partner, forth);
      rehearse_compute_flops(5e6);
      swap_with(ranks, partner, back);
    }
  }
}

// A cube of 33^3 points with 5 unknowns on 2 x 2 ranks: in each step a wave through the planes from one corner, then
// one from the other corner; a rank sends the edge of a plane to its neighbours when it has computed it.
static void lu(const Ranks* ranks) {
  enum { planes = 31, edge = 17 * 5 * 8, face = 2 * 17 * 33 * 5 * 8 };
  for (int step = 0; step < 20; ++step) {
    for (int way = 0; way < 2; ++way) {
      const int is_first = way == 0 ? ranks->rank == 0 : ranks->rank == 3;
      const int is_last = way == 0 ? ranks->rank == 3 : ranks->rank == 0;
      for (int plane = 0; plane < planes; ++plane) {
        const int receives_across = is_last || (!is_first && (way == 0) == (ranks->rank % 2 == 1));
        const int receives_along = is_last || (!is_first && (way == 0) == (ranks->rank >= 2));
        if (receives_across)
          MPI_Recv(ranks->received, edge, MPI_BYTE, ranks->across, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (receives_along)
          MPI_Recv(ranks->received, edge, MPI_BYTE, ranks->along, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        rehearse_compute_flops(3e5);
        if (!receives_across) MPI_Send(ranks->sent, edge, MPI_BYTE, ranks->across, tag, MPI_COMM_WORLD);
        if (!receives_along) MPI_Send(ranks->sent, edge, MPI_BYTE, ranks->along, tag, MPI_COMM_WORLD);
      }
    }
    swap_with(ranks, ranks->across, face);
    swap_with(ranks, ranks->along, face);
  }
}

// A V-cycle over cubes from 64^3 points down to 4^3 and up again; on each level, faces in three directions.
static void mg(const Ranks* ranks) {
  for (int cycle = 0; cycle < 10; ++cycle) {
    for (int stop = 0; stop < 10; ++stop) {
      const int edge = stop < 5 ? 64 >> stop : 4 << (stop - 5);
      rehearse_compute_flops(6e6 * edge * edge * edge / (64. * 64 * 64));
      for (int direction = 0; direction < 2; ++direction)
        swap_with(ranks, direction == 0 ? ranks->across : ranks->along, edge / 2 * edge * 8);
    }
  }
  MPI_Allreduce(ranks->sent, ranks->received, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

// A matrix of 7,000 rows: the product is added up along a row of ranks and exchanged with the transposed rank, which is
// the rank itself on the diagonal; two scalar products.
static void cg(const Ranks* ranks) {
  enum { half = 3500 * 8 };
  for (int step = 0; step < 15 * 5; ++step) {
    rehearse_compute_flops(2.2e7);
    swap_with(ranks, ranks->across, half);
    if (ranks->rank == 1 || ranks->rank == 2) swap_with(ranks, 3 - ranks->rank, half);
    for (int product = 0; product < 2; ++product) swap_with(ranks, ranks->across, 8);
  }
}

// Random numbers, and three sums at the end.
static void ep(const Ranks* ranks) {
  rehearse_compute_flops(2e9);
  for (int i = 0; i < 3; ++i)
    MPI_Allreduce(ranks->sent, ranks->received, 10, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static const struct {
  const char* name;
  void (*run)(const Ranks*);
} kernels[] = {{"is", is}, {"bt", bt}, {"lu", lu}, {"mg", mg}, {"cg", cg}, {"ep", ep}};

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int size;
  Ranks ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &ranks.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  ranks.across = ranks.rank ^ 1;
  ranks.along = ranks.rank ^ 2;
  ranks.sent = calloc(most_bytes, 1);
  ranks.received = calloc(most_bytes, 1);
  const int count = sizeof kernels / sizeof *kernels;
  int chosen = 0;
  while (chosen < count && (argc < 2 || strcmp(argv[1], kernels[chosen].name) != 0)) ++chosen;
  const int is_good = chosen < count && size == ranks_wanted;
  if (is_good) kernels[chosen].run(&ranks);
  else if (ranks.rank == 0) fprintf(stderr, "kernels: accepted: 4 ranks, and is, bt, lu, mg, cg or ep\n");
  free(ranks.sent);
  free(ranks.received);
  MPI_Finalize();
  return is_good ? 0 : 2;
}
