// SPDX-License-Identifier: MIT
//
// Cases of messages between pairs of ranks, and of many ranks to one.
//
// A rank that answers first says that it is ready, so that its partner does not measure its late start.
#include "real_bench.h"

// Half of a round trip, measured by `first`.
static double half_round_trip(const World* world, int first, int second, int bytes) {
  if (world->rank == first) {
    MPI_Recv(NULL, 0, MPI_CHAR, second, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    const double start = MPI_Wtime();
    MPI_Send(world->send, bytes, MPI_CHAR, second, 0, MPI_COMM_WORLD);
    MPI_Recv(world->receive, bytes, MPI_CHAR, second, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return (MPI_Wtime() - start) / 2;
  }
  if (world->rank == second) {
    MPI_Send(NULL, 0, MPI_CHAR, first, 1, MPI_COMM_WORLD);
    MPI_Recv(world->receive, bytes, MPI_CHAR, first, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(world->send, bytes, MPI_CHAR, first, 0, MPI_COMM_WORLD);
  }
  return 0;
}

// Between the first and the last rank.
static double pingpong(const World* world, int bytes) { return half_round_trip(world, 0, world->size - 1, bytes); }

// Between the first and the last rank, both directions at once.
static double sendrecv(const World* world, int bytes) {
  const int partner = world->size - 1 - world->rank;
  if (world->rank != 0 && partner != 0) return 0;
  MPI_Sendrecv(world->send, bytes, MPI_CHAR, partner, 0, world->receive, bytes, MPI_CHAR, partner, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  return 0;
}

// Rank i with rank i + half of them, all pairs at once.
static double pairs(const World* world, int bytes) {
  const int half = world->size / 2, first = world->rank % half;
  return half_round_trip(world, first, first + half, bytes);
}

// A message of each other rank to rank 0.
static double incast(const World* world, int bytes) {
  if (world->rank != 0) {
    MPI_Send(world->send, bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    return 0;
  }
  for (int source = 1; source < world->size; ++source)
    MPI_Recv(world->receive, bytes, MPI_CHAR, source, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return 0;
}

const Case point_to_point_cases[] = {
    {"pingpong", pingpong, 2, {0, 64, 1024, 4096, 8192, 16384, 32768, 65536, 262144, 1048576, 4194304, -1}},
    {"sendrecv", sendrecv, 2, {1024, 16384, 65536, 262144, 1048576, -1}},
    {"pairs", pairs, 4, {1024, 16384, 65536, 262144, -1}},
    {"incast", incast, 4, {1024, 16384, 65536, 262144, -1}},
    {NULL, NULL, 0, {-1}},
};
