// SPDX-License-Identifier: MIT
//
// DTG: two wildcard receives on different ranks. One of them decides which messages the other can take. Five ranks.
// Rank 0 passes on a number from rank 1. If rank 2 was fast, rank 0 takes the number of rank 2 first, and then waits
// forever for a second message of rank 2. Rank 2 has its number from rank 3 or rank 4, in the order of arrival.
//
// One receive depends on the other. Some partial-order reductions for MPI miss this: they let all ranks run until each
// stands at a receive. Rank 0 has then taken the message of rank 1 before rank 2 can send.
#include <assert.h>
#include <mpi.h>
#include <stdio.h>

static int receive(int source) {
  int number;
  MPI_Recv(&number, 1, MPI_INT, source, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return number;
}

static void send(int number, int destination) { MPI_Send(&number, 1, MPI_INT, destination, 0, MPI_COMM_WORLD); }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    const int first = receive(MPI_ANY_SOURCE);
    const int second = receive(2);
    assert(first == 1 && second == 3 + 4);
  } else if (rank == 1) {
    send(1, 0);
  } else if (rank == 2) {
    const int first = receive(MPI_ANY_SOURCE);
    const int second = receive(MPI_ANY_SOURCE);
    send(first + second, 0);
  } else if (rank <= 4) {
    send(rank, 2);
  }
  MPI_Finalize();
  return 0;
}
