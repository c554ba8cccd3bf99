// SPDX-License-Identifier: MIT
//
// Rank 0 adds up floating-point numbers in the order of arrival.
// check: outcome.results
// ranks: 4
// options: --deterministic results
#include <mpi.h>
#include <rehearse.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double part = rank == 1 ? 1e16 : rank == 2 ? -1e16 : 1;
  if (rank == 0) {
    double sum = 0;
    for (int i = 1; i < 4; ++i) {
      MPI_Recv(&part, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      sum += part;
    }
    rehearse_result("sum", &sum, sizeof sum);  // <- here
  } else {
    MPI_Send(&part, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
