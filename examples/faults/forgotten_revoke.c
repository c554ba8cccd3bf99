// SPDX-License-Identifier: MIT
//
// A pipeline: each rank receives from the one before and sends to the one behind. A rank whose neighbour fails leaves
// the pipeline for the repair. With the argument `revoke` it revokes the communicator before. Without, those behind it
// wait for messages that nobody sends any more, and the repair waits for them.
#include <mpi-ext.h>
#include <string.h>

enum { rounds = 2 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int revokes = argc > 1 && strcmp(argv[1], "revoke") == 0;
  int rank, size, token = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (int round = 0; round < rounds; ++round) {
    int error = MPI_SUCCESS;
    if (rank > 0) error = MPI_Recv(&token, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (error == MPI_SUCCESS && rank + 1 < size) error = MPI_Send(&token, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
    if (error == MPI_SUCCESS) continue;
    if (revokes) MPIX_Comm_revoke(MPI_COMM_WORLD);
    break;
  }
  MPI_Comm survivors;
  MPIX_Comm_shrink(MPI_COMM_WORLD, &survivors);
  MPI_Comm_free(&survivors);
  MPI_Finalize();
  return 0;
}
