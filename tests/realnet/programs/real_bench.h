// SPDX-License-Identifier: MIT
//
// The programs of the accuracy bench: a table of cases, which real_bench.c measures. The same source runs under a real
// MPI library and in simulated time.
//
// A case is one operation of all ranks, such as a broadcast or a few iterations of an application. real_bench.c takes
// its time. A function that measures a part of it returns the seconds of this part, and others return 0; the largest
// value of all ranks is then the time of the case.
#ifndef REHEARSE_TESTS_REALNET_REAL_BENCH_H
#define REHEARSE_TESTS_REALNET_REAL_BENCH_H
#include <mpi.h>
#include <stddef.h>

enum { most_bytes = 4 << 20, most_sizes = 12 };

typedef struct {
  int rank, size;
  char *send, *receive;  // most_bytes each
} World;

typedef struct {
  const char* name;
  double (*run)(const World* world, int bytes);
  int least_ranks;
  int sizes[most_sizes];  // bytes, ended by -1
} Case;

extern const Case point_to_point_cases[];  // ended by a case without a name
extern const Case collective_cases[];
extern const Case application_cases[];

#endif
