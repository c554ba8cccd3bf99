// SPDX-License-Identifier: MIT
//
// DTG: two receives with a wildcard on different ranks, of which one decides what the other can take; five ranks.
// Rank 0 passes a number on from rank 1 or, when rank 2 was fast, takes that of rank 2 first, and then waits for ever
// for a second message of rank 2. Rank 2 has its number from rank 3 or rank 4, whoever comes first.
//
// The dependence of the one receive on the other is what partial-order reductions for MPI got wrong that let ranks run
// until all of them stand at a receive: there, rank 0 has taken the message of rank 1 before rank 2 can send.
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
