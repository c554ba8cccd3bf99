// SPDX-License-Identifier: MIT
//
// Integrate: the area under 4 / (1 + x^2) between 0 and 1, which is pi. Every worker starts with one piece. As long as
// pieces remain (4, or the argument), rank 0 gives the next one to the worker that answers first. Rank 0 names the
// sources of the last answers, because no piece remains.
//
// `integrate each` has one piece for each worker and takes all answers in the order of arrival.
#include <assert.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { tag_piece, tag_area, tag_stop, slices = 1000 };

static double area(int piece, int pieces) {
  const double width = 1.0 / pieces / slices;
  double sum = 0;
  for (int i = 0; i < slices; ++i) {
    const double x = (double)piece / pieces + (i + 0.5) * width;
    sum += width * 4 / (1 + x * x);
  }
  return sum;
}

static double answer_of(int source, int* who) {
  MPI_Status status;
  double answer;
  MPI_Recv(&answer, 1, MPI_DOUBLE, source, tag_area, MPI_COMM_WORLD, &status);
  *who = status.MPI_SOURCE;
  return answer;
}

static double hand_out(int workers, int further, int all_by_any) {
  double sum = 0;
  int next = 0, who;
  for (; next < workers; ++next) MPI_Send(&next, 1, MPI_INT, next + 1, tag_piece, MPI_COMM_WORLD);
  for (; next < workers + further; ++next) {
    sum += answer_of(MPI_ANY_SOURCE, &who);
    MPI_Send(&next, 1, MPI_INT, who, tag_piece, MPI_COMM_WORLD);
  }
  for (int worker = 1; worker <= workers; ++worker) {
    sum += answer_of(all_by_any ? MPI_ANY_SOURCE : worker, &who);
    MPI_Send(&next, 1, MPI_INT, who, tag_stop, MPI_COMM_WORLD);
  }
  return sum;
}

static void be_worker(int pieces) {
  for (;;) {
    int piece;
    MPI_Status status;
    MPI_Recv(&piece, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    if (status.MPI_TAG == tag_stop) return;
    const double answer = area(piece, pieces);
    MPI_Send(&answer, 1, MPI_DOUBLE, 0, tag_area, MPI_COMM_WORLD);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int each = argc > 1 && strcmp(argv[1], "each") == 0;
  const int further = each ? 0 : argc > 1 ? atoi(argv[1]) : 4;

  if (rank == 0) {
    const double sum = hand_out(size - 1, further, each);
    assert(fabs(sum - 3.14159265358979) < 1e-6);
    printf("the area is %.6f\n", sum);
  } else {
    be_worker(size - 1 + further);
  }
  MPI_Finalize();
  return 0;
}
