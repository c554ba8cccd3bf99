// SPDX-License-Identifier: MIT
//
// Marks the measured part of a program, for the comparison of recordings with real runs (tests/realnet/traced_runs.py).
// The compiler includes it before each program (-include). The program reads MPI_Wtime twice: at the start and at the
// end of its measured part.
//
// Marks:   each reading follows an MPI_Barrier on MPI_COMM_SELF. It sends nothing, and recordings have it.
// -DMETER: rank 0 also prints two times of each rank in the measured part, of its work outside of MPI calls: the
//          processor time of the thread, and the real time for which it was ready but had no core.
// Limits:  programs of one file. traced_runs.py checks that each call of a program is below.
// Source:  of the second time: Documentation/scheduler/sched-stats.rst of Linux.
#ifndef REHEARSE_TESTS_REALNET_REGION_H
#define REHEARSE_TESTS_REALNET_REGION_H
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

typedef struct {
  double processor, waited;  // seconds
} RegionTimes;

static struct {
  int reads, file;
  RegionTimes since, spent;  // `since`: at the end of the last call
} region;

static inline RegionTimes region_now(void) {
  struct timespec now;
  char text[80] = {0};
  unsigned long long waited = 0;
  if (region.file == 0) region.file = open("/proc/thread-self/schedstat", O_RDONLY);
  if (pread(region.file, text, sizeof text - 1, 0) < 0 || sscanf(text, "%*u %llu", &waited) != 1) waited = 0;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (RegionTimes){(double)now.tv_sec + 1e-9 * (double)now.tv_nsec, 1e-9 * (double)waited};
}

static inline int region_enter(void) {
  if (region.reads != 1) return 0;
  const RegionTimes now = region_now();
  region.spent.processor += now.processor - region.since.processor;
  region.spent.waited += now.waited - region.since.waited;
  return 0;
}

static inline int region_leave(int status) {
  if (region.reads == 1) region.since = region_now();
  return status;
}

static inline double region_time(void) {
#ifdef METER
  region_enter();
#endif
  MPI_Barrier(MPI_COMM_SELF);
  const double time = MPI_Wtime();
  ++region.reads;
#ifdef METER
  region_leave(0);
#endif
  return time;
}

static inline int region_finish(void) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (region.reads != 2) {
    fprintf(stderr, "region.h: %d readings of MPI_Wtime; expected: 2\n", region.reads);
    MPI_Abort(MPI_COMM_WORLD, 3);
  }
#ifdef METER
  const double own[2] = {region.spent.processor, region.spent.waited};
  double* all = malloc(2 * (size_t)size * sizeof *all);
  MPI_Gather(own, 2, MPI_DOUBLE, all, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (int i = 0; rank == 0 && i < size; ++i) printf("computed,%d,%.9f,%.9f\n", i, all[2 * i], all[2 * i + 1]);
  free(all);
#endif
  if (rank == 0) {
    printf("# end\n");
    fflush(stdout);
  }
  // MPICH 4.0.2 on UCX may hang in MPI_Finalize if pairs of ranks have not connected.
  char* sent = calloc((size_t)size, 2);
  MPI_Alltoall(sent, 1, MPI_CHAR, sent + size, 1, MPI_CHAR, MPI_COMM_WORLD);
  free(sent);
  return MPI_Finalize();
}

#ifdef METER
// A macro is not replaced inside of its own replacement, so the inner name is that of the function.
#define REGION_CALL(call) (region_enter(), region_leave(call))
#define MPI_Send(...) REGION_CALL(MPI_Send(__VA_ARGS__))
#define MPI_Recv(...) REGION_CALL(MPI_Recv(__VA_ARGS__))
#define MPI_Irecv(...) REGION_CALL(MPI_Irecv(__VA_ARGS__))
#define MPI_Wait(...) REGION_CALL(MPI_Wait(__VA_ARGS__))
#define MPI_Allreduce(...) REGION_CALL(MPI_Allreduce(__VA_ARGS__))
#define MPI_Alltoall(...) REGION_CALL(MPI_Alltoall(__VA_ARGS__))
#define MPI_Reduce(...) REGION_CALL(MPI_Reduce(__VA_ARGS__))
#endif
#define MPI_Wtime() region_time()
#define MPI_Finalize() region_finish()

#endif
