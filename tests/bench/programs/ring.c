// SPDX-License-Identifier: MIT
//
// Each rank sends 1,000 bytes to the next one and receives as many from the previous one. Argument: rounds.
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rounds = argc > 1 ? atoi(argv[1]) : 1000;
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  char sent[1000] = {0}, received[1000];
  for (int i = 0; i < rounds; ++i)
    MPI_Sendrecv(sent, sizeof sent, MPI_BYTE, (rank + 1) % ranks, 0, received, sizeof received, MPI_BYTE,
                 (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
