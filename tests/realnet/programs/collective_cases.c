// SPDX-License-Identifier: MIT
//
// Cases of collectives. `bytes` is the size of a buffer of one rank, or of the part of one rank where a buffer has a
// part for each rank (gather, scatter, allgather, alltoall, reduce_scatter).
#include "real_bench.h"

// The function's name, its parameters and a body that makes the call.
#define COLLECTIVE(name, call)                           \
  static double name(const World* world, int bytes) {    \
    char *send = world->send, *receive = world->receive; \
    (void)send, (void)receive, (void)bytes;              \
    call;                                                \
    return 0;                                            \
  }

COLLECTIVE(barrier, MPI_Barrier(MPI_COMM_WORLD))
COLLECTIVE(bcast, MPI_Bcast(send, bytes, MPI_CHAR, 0, MPI_COMM_WORLD))
COLLECTIVE(reduce, MPI_Reduce(send, receive, bytes / 4, MPI_INT, MPI_BXOR, 0, MPI_COMM_WORLD))
COLLECTIVE(allreduce, MPI_Allreduce(send, receive, bytes / 4, MPI_INT, MPI_BXOR, MPI_COMM_WORLD))
COLLECTIVE(gather, MPI_Gather(send, bytes, MPI_CHAR, receive, bytes, MPI_CHAR, 0, MPI_COMM_WORLD))
COLLECTIVE(scatter, MPI_Scatter(send, bytes, MPI_CHAR, receive, bytes, MPI_CHAR, 0, MPI_COMM_WORLD))
COLLECTIVE(allgather, MPI_Allgather(send, bytes, MPI_CHAR, receive, bytes, MPI_CHAR, MPI_COMM_WORLD))
COLLECTIVE(alltoall, MPI_Alltoall(send, bytes, MPI_CHAR, receive, bytes, MPI_CHAR, MPI_COMM_WORLD))
COLLECTIVE(reduce_scatter, MPI_Reduce_scatter_block(send, receive, bytes / 4, MPI_INT, MPI_BXOR, MPI_COMM_WORLD))
COLLECTIVE(scan, MPI_Scan(send, receive, bytes / 4, MPI_INT, MPI_BXOR, MPI_COMM_WORLD))

const Case collective_cases[] = {
    {"barrier", barrier, 2, {0, -1}},
    {"bcast", bcast, 2, {8, 1024, 16384, 262144, -1}},
    {"reduce", reduce, 2, {8, 1024, 16384, 262144, -1}},
    {"allreduce", allreduce, 2, {8, 1024, 16384, 262144, -1}},
    {"gather", gather, 2, {64, 4096, 65536, -1}},
    {"scatter", scatter, 2, {64, 4096, 65536, -1}},
    {"allgather", allgather, 2, {64, 4096, 65536, -1}},
    {"alltoall", alltoall, 2, {64, 4096, 65536, 262144, -1}},
    {"reduce_scatter", reduce_scatter, 2, {64, 4096, 65536, -1}},
    {"scan", scan, 2, {8, 16384, -1}},
    {NULL, NULL, 0, {-1}},
};
