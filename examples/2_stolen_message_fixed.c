// SPDX-License-Identifier: MIT
//
// 2_stolen_message.c without the error: "ready" and "result" have different tags.
#include <mpi.h>
#include <stdio.h>

enum { tag_ready, tag_result };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);

  if (rank == 0) {
    int ready, result;
    MPI_Recv(&ready, 1, MPI_INT, MPI_ANY_SOURCE, tag_ready, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&result, 1, MPI_INT, 1, tag_result, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("%d was ready, the result is %d\n", ready, result);
  } else if (rank <= 2) {
    MPI_Send(&rank, 1, MPI_INT, 0, rank == 1 ? tag_result : tag_ready, MPI_COMM_WORLD);
  }

  MPI_Finalize();
  return 0;
}
