// SPDX-License-Identifier: MIT
//
// A receive into an array of a function that has returned is completed by a function as deep as that one.
// check: buffer.freed
// says: was on the stack of exchange()
#include <mpi.h>

static int exchange(MPI_Request* request, int begin) {
  int numbers[10] = {0}, sum = 0;
  if (begin) MPI_Irecv(numbers, 10, MPI_INT, 1, 0, MPI_COMM_WORLD, request);
  for (int i = 0; i < 10; ++i) sum += numbers[i];
  return sum;
}

static int finish(MPI_Request* request) {
  int other[40] = {0}, sum = 0;
  MPI_Wait(request, MPI_STATUS_IGNORE);  // <- here
  for (int i = 0; i < 40; ++i) sum += other[i];
  return sum;
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Request request;
    int sum = exchange(&request, 1);
    sum += finish(&request);
    if (sum != 0) MPI_Abort(MPI_COMM_WORLD, 1);
  } else {
    int given[10] = {1};
    MPI_Send(given, 10, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
