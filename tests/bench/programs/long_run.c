// SPDX-License-Identifier: MIT
//
// One long execution: as many calls as the second argument says, of the kind that the first one names.
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int rank, size, data;

// Every second call of a rank is a send.
static void messages(long calls) {
  for (long i = 0; i < calls; ++i) {
    if ((rank + i) % 2 == 0) MPI_Send(&data, 1, MPI_INT, rank ^ 1, 0, MPI_COMM_WORLD);
    else MPI_Recv(&data, 1, MPI_INT, rank ^ 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

// As messages(), with requests.
static void waits(long calls) {
  for (long i = 0; i < calls / 3; ++i) {
    MPI_Request requests[2];
    int from;
    MPI_Irecv(&from, 1, MPI_INT, rank ^ 1, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&data, 1, MPI_INT, rank ^ 1, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  }
}

// Each rank with itself: a message, and a poll for one that nobody sends.
static void polls(long calls) {
  for (long i = 0; i < calls / 2; ++i) {
    int flag, mine = data;
    MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&mine, 1, MPI_INT, rank, 0, &data, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

static void collectives(long calls) {
  for (long i = 0; i < calls; ++i) {
    const int mine = data;
    MPI_Allreduce(&mine, &data, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  }
}

// All sends first, then all receives.
static void pending(long calls) {
  for (long i = 0; i < calls / 2 && rank == 1; ++i) MPI_Send(&data, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  for (long i = 0; i < calls / 2 && rank == 0; ++i)
    MPI_Recv(&data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

// As pending(), with wildcards; only rank 1 sends.
static void wildcards(long calls) {
  for (long i = 0; i < calls / 2 && rank == 1; ++i) MPI_Send(&data, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  for (long i = 0; i < calls / 2 && rank == 0; ++i)
    MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*run)(long calls);
  } kinds[] = {{"messages", messages},       {"waits", waits},     {"polls", polls},
               {"collectives", collectives}, {"pending", pending}, {"wildcards", wildcards}};
  int found = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds && argc == 3; ++i) {
    if (strcmp(argv[1], kinds[i].name) != 0) continue;
    kinds[i].run(atol(argv[2]));
    found = 1;
  }
  if (!found) MPI_Abort(MPI_COMM_WORLD, 2);
  MPI_Finalize();
  return 0;
}
