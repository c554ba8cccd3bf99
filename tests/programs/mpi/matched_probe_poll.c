// SPDX-License-Identifier: MIT
//
// Polls with matched probes until both messages are there; they are received in the other order.
// ranks: 2
#include <assert.h>
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, flag, got[2];
  MPI_Message messages[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1)
    for (int i = 0; i < 2; ++i) MPI_Send(&i, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    for (int i = 0; i < 2; ++i) do MPI_Improbe(1, 0, MPI_COMM_WORLD, &flag, &messages[i], MPI_STATUS_IGNORE);
      while (!flag);
    for (int i = 1; i >= 0; --i) MPI_Mrecv(&got[i], 1, MPI_INT, &messages[i], MPI_STATUS_IGNORE);
    assert(got[0] == 0 && got[1] == 1);
  }
  MPI_Finalize();
  return 0;
}
