// SPDX-License-Identifier: MIT
//
// One pattern of communication, repeated: gather (to rank 0), alltoall, exchange (with the next and the previous rank),
// bcast, allreduce, or burst (short messages from rank 0 to rank 1, then an answer). Arguments: the pattern, the bytes
// of a block (65536) and the repetitions (10). Prints the time of all repetitions.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { messages_of_burst = 10 };

typedef struct {
  int rank, size, bytes;
  char *sent, *received;
} Blocks;

static void gather(const Blocks* b) {
  MPI_Gather(b->sent, b->bytes, MPI_BYTE, b->received, b->bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void alltoall(const Blocks* b) {
  MPI_Alltoall(b->sent, b->bytes, MPI_BYTE, b->received, b->bytes, MPI_BYTE, MPI_COMM_WORLD);
}

static void exchange(const Blocks* b) {
  const int next = (b->rank + 1) % b->size, previous = (b->rank + b->size - 1) % b->size;
  MPI_Sendrecv(b->sent, b->bytes, MPI_BYTE, next, 0, b->received, b->bytes, MPI_BYTE, previous, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MPI_Sendrecv(b->sent, b->bytes, MPI_BYTE, previous, 1, b->received, b->bytes, MPI_BYTE, next, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
}

static void bcast(const Blocks* b) { MPI_Bcast(b->sent, b->bytes, MPI_BYTE, 0, MPI_COMM_WORLD); }

static void allreduce(const Blocks* b) {
  MPI_Allreduce(b->sent, b->received, b->bytes / 8, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
}

static void burst(const Blocks* b) {
  if (b->rank > 1) return;
  for (int i = 0; i < messages_of_burst; ++i) {
    if (b->rank == 0) MPI_Send(b->sent, b->bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    else MPI_Recv(b->received, b->bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (b->rank == 1) MPI_Send(b->sent, 0, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
  else MPI_Recv(b->received, 0, MPI_BYTE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static const struct {
  const char* name;
  void (*run)(const Blocks*);
} patterns[] = {{"gather", gather}, {"alltoall", alltoall},   {"exchange", exchange},
                {"bcast", bcast},   {"allreduce", allreduce}, {"burst", burst}};

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Blocks blocks;
  MPI_Comm_rank(MPI_COMM_WORLD, &blocks.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &blocks.size);
  blocks.bytes = argc > 2 ? atoi(argv[2]) : 65536;
  const int times = argc > 3 ? atoi(argv[3]) : 10;
  const size_t all = (size_t)blocks.size * blocks.bytes + 8;
  blocks.sent = calloc(all, 1);
  blocks.received = calloc(all, 1);
  const int count = sizeof patterns / sizeof *patterns;
  int chosen = 0;
  while (chosen < count && (argc < 2 || strcmp(argv[1], patterns[chosen].name) != 0)) ++chosen;
  if (chosen < count) {
    const double begin = MPI_Wtime();
    for (int i = 0; i < times; ++i) patterns[chosen].run(&blocks);
    const double mine = MPI_Wtime() - begin;
    double longest = mine;
    MPI_Reduce(&mine, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (blocks.rank == 0) printf("%.9f\n", longest);
  } else if (blocks.rank == 0) {
    fprintf(stderr, "patterns: accepted: gather, alltoall, exchange, bcast, allreduce, burst\n");
  }
  free(blocks.sent);
  free(blocks.received);
  MPI_Finalize();
  return chosen < count ? 0 : 2;
}
