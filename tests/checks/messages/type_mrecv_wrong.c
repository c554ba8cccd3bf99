// SPDX-License-Identifier: MIT
//
// A message that was probed for is received as another type.
// check: message.type
// warns: buffer.type
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int numbers[2] = {1, 2};
  MPI_Message message;
  if (rank == 0) MPI_Send(numbers, 2, MPI_INT, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) {
    MPI_Mprobe(0, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(numbers, 2, MPI_FLOAT, &message, MPI_STATUS_IGNORE);  // <- here
  }
  MPI_Finalize();
  return 0;
}
