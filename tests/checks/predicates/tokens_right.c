// SPDX-License-Identifier: MIT
//
// Two ranks never have the token at the same time.
// check: none
#include <mpi.h>
#include <rehearse.h>

int main(int argc, char** argv) {
  int rank, token = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  rehearse_publish("tokens", rank == 0);
  rehearse_always("sum(tokens) <= 1");
  if (rank == 0) {
    rehearse_publish("tokens", 0);
    MPI_Send(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  } else {
    MPI_Recv(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    rehearse_publish("tokens", 1);
  }
  MPI_Finalize();
  return 0;
}
