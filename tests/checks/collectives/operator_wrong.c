// SPDX-License-Identifier: MIT
//
// The ranks reduce with different operators.
// check: collective.operator
// says: they name different operators (MPI_SUM and MPI_MAX) as the 1st collective
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int mine = rank, result;
  MPI_Allreduce(&mine, &result, 1, MPI_INT, rank == 0 ? MPI_SUM : MPI_MAX, MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
