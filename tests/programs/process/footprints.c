// SPDX-License-Identifier: MIT
//
// Steps of many kinds for footprint_test.cpp: rank 0 receives messages and does something else with each.
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kinds = 16 };

static int total, largest, arrivals[8], last;
static double area;
static char text[64];
static char* block;

static void work(int kind, int value, int source) {
  switch (kind) {
    case 0: total += value; break;
    case 1: arrivals[source] = value; break;
    case 2: largest = value > largest ? value : largest; break;
    case 3: area += value / 8.0; break;
    case 4: printf("%d from %d\n", value, source); break;
    case 5: snprintf(text, sizeof text, "the last value was %d, the total is %d", last, total); break;
    case 6:
      free(block);
      block = malloc(value % 100 + 1);
      memset(block, value, value % 100 + 1);
      break;
    case 7: memmove(text + 7, text, 40); break;
    case 8: MPI_Send(&total, 1, MPI_INT, source, 3, MPI_COMM_WORLD); break;
    case 9: MPI_Send(&value, 1, MPI_INT, source, 3, MPI_COMM_WORLD); break;
    case 10: last = value; break;
    case 11: qsort(arrivals, 8, sizeof *arrivals, (int (*)(const void*, const void*))strcmp); break;
    case 12: largest = (int)strlen(text) + (int)lround(sqrt(fabs(area))); break;
    case 13: total = total * 3 + value; break;
    case 14:
      if (total > 50) last = arrivals[value & 7];
      else arrivals[last & 7] += 2;
      break;
    case 15: {
      MPI_Request request;
      int other = -value;
      MPI_Isend(&other, 1, MPI_INT, source, 4, MPI_COMM_WORLD, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      break;
    }
    default: break;
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int on_stack = 0;
  double sum_on_stack = 1.0 / 3;
  for (int i = 0; i < 3 * kinds; ++i) {
    int value;
    MPI_Status status;
    MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    on_stack += value;
    sum_on_stack += value * 0.1;
    work(i % kinds, value, status.MPI_SOURCE);
  }
  printf("%d %d %g %g %d %s\n", total, on_stack, sum_on_stack, area, largest, text);
  fflush(stdout);
  MPI_Finalize();
  return 0;
}
