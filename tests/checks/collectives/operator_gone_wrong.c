// SPDX-License-Identifier: MIT
//
// A rank that has left the reduction named another operator.
// check: collective.operator
// says: operator_gone_wrong.c:17: they name different operators (MPI_SUM and MPI_MAX)
// options: --collectives relaxed
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int mine = rank, result = 0;
  if (rank == 0) {
    MPI_Reduce(&mine, &result, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  } else {
    MPI_Reduce(&mine, &result, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);  // <- here
  }
  MPI_Finalize();
  return 0;
}
