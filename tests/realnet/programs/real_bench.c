// SPDX-License-Identifier: MIT
//
// Measures cases of the accuracy bench.
//
// Usage:  real_bench LEAST MOST REPETITIONS HEAD_START WAIT CASE...    the sizes from LEAST to MOST bytes of these
// cases Output: of rank 0, a line `case,bytes,ranks,repetition,seconds` for each measurement.
//
// Repetitions are the outer loop, so that a disturbance of the machine hits one repetition of each case. Repetition 0
// opens the connections and is not printed. The last line is `# end`: a job that hangs in MPI_Finalize is complete.
//
// All ranks start a case at one date, and the time of the case is from this date to the last end. A barrier would not
// do: its ranks leave it one after the other, and the first ones would measure the delay of the others. So the ranks
// need one clock. Simulated ranks have one, and so have processes on one machine. The date is HEAD_START nanoseconds
// after the ranks began to agree on it, which must be more than an allreduce of them takes.
//
// WAIT is `poll` or `sleep`. A real rank polls until the date, because one that sleeps starts some 50 us late: its
// instructions and data have left the caches. Simulated ranks sleep.
#include "real_bench.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const Case* find_case(const char* name) {
  const Case* tables[] = {point_to_point_cases, collective_cases, application_cases};
  for (int table = 0; table < 3; ++table)
    for (const Case* one = tables[table]; one->name; ++one)
      if (strcmp(one->name, name) == 0) return one;
  return NULL;
}

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);  // MPI_Wtime() of Open MPI begins at 0 in each rank
  return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static void wait_until(int64_t date, int polls) {
  const int64_t left = date - now();
  const struct timespec pause = {0, left};
  int is_there;
  if (!polls && left > 0) nanosleep(&pause, NULL);
  while (polls && now() < date) MPI_Iprobe(MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
}

static void measure(const World* world, const Case* one, int bytes, int repetition, int head_start, int polls) {
  int64_t here = now(), latest = 0, mine[2], last[2] = {0, 0};
  MPI_Allreduce(&here, &latest, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
  const int64_t date = latest + head_start;
  wait_until(date, polls);
  mine[0] = (int64_t)(one->run(world, bytes) * 1e9);
  mine[1] = now() - date;
  MPI_Reduce(mine, last, 2, MPI_INT64_T, MPI_MAX, 0, MPI_COMM_WORLD);
  if (world->rank == 0 && repetition > 0) {
    const int64_t taken = last[0] > 0 ? last[0] : last[1];
    printf("%s,%d,%d,%d,%.9f\n", one->name, bytes, world->size, repetition, (double)taken * 1e-9);
    fflush(stdout);
  }
}

int main(int argc, char** argv) {
  World world;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world.size);
  world.send = malloc(most_bytes);
  world.receive = malloc(most_bytes);
  for (int i = 6; i < argc; ++i)
    if (!find_case(argv[i])) argc = 0;
  if (argc < 7 || !world.send || !world.receive) {
    if (world.rank == 0) fprintf(stderr, "usage: real_bench LEAST MOST REPETITIONS HEAD_START poll|sleep CASE...\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  memset(world.send, 1, most_bytes);
  memset(world.receive, 1, most_bytes);
  const int least = atoi(argv[1]), most = atoi(argv[2]), repetitions = atoi(argv[3]);
  const int head_start = atoi(argv[4]), polls = strcmp(argv[5], "poll") == 0;
  for (int repetition = 0; repetition <= repetitions; ++repetition)
    for (int i = 6; i < argc; ++i) {
      const Case* one = find_case(argv[i]);
      for (const int* bytes = one->sizes; *bytes >= 0; ++bytes)
        if (*bytes >= least && *bytes <= most && world.size >= one->least_ranks)
          measure(&world, one, *bytes, repetition, head_start, polls);
    }
  if (world.rank == 0) printf("# end\n");
  fflush(stdout);
  free(world.send);
  free(world.receive);
  MPI_Finalize();
  return 0;
}
