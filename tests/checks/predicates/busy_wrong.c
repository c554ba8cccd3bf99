// SPDX-License-Identifier: MIT
//
// Rank 0 passes the token on before it leaves: for a moment both ranks may be busy.
// check: property.never
#include <mpi.h>
#include <rehearse.h>

int main(int argc, char** argv) {
  int rank, token = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  rehearse_never("busy@0 && busy@1");
  rehearse_publish("busy", 0);
  if (rank == 0) {
    rehearse_publish("busy", 1);  // <- here
    MPI_Send(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    rehearse_publish("busy", 0);
    MPI_Recv(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    rehearse_publish("busy", 1);  // <- here
    rehearse_publish("busy", 0);
    MPI_Send(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
