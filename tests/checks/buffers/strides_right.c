// SPDX-License-Identifier: MIT
//
// Every second element is sent while every fourth of the others is received.
// check: none
// ranks: 2
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  int numbers[24] = {0};
  MPI_Datatype second, third;
  MPI_Request requests[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int other = 1 - rank;
  MPI_Type_vector(4, 1, 2, MPI_INT, &second);
  MPI_Type_commit(&second);
  MPI_Type_vector(4, 1, 4, MPI_INT, &third);
  MPI_Type_commit(&third);
  MPI_Isend(numbers, 1, second, other, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(numbers + 1, 1, third, other, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Type_free(&second);
  MPI_Type_free(&third);
  MPI_Finalize();
  return 0;
}
