// SPDX-License-Identifier: MIT
//
// The predicate has no syntax error.
// check: none
#include <mpi.h>
#include <rehearse.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  rehearse_publish("busy", rank);
  rehearse_never("busy@0 && busy@1");
  MPI_Finalize();
  return 0;
}
