// SPDX-License-Identifier: MIT
//
// Starts more messages, receives and freed requests than a rank may go on behind, of sizes that fit and that do not.
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { messages = 40, most = 6000 };
static char out[most], in[messages][most];

static int size_of(int message) { return message * message * 4 % most; }

int main(int argc, char** argv) {
  int rank = 0, size = 0, last = -1, sum = 0;
  MPI_Request requests[2 * messages], freed;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int left = (rank + size - 1) % size, right = (rank + 1) % size;
  for (int i = 0; i < messages; ++i) {
    memset(out, rank + i, sizeof out);
    MPI_Isend(out, size_of(i), MPI_CHAR, right, i, MPI_COMM_WORLD, &requests[i]);
    MPI_Irecv(in[i], most, MPI_CHAR, left, i, MPI_COMM_WORLD, &requests[messages + i]);
  }
  MPI_Isend(&rank, 1, MPI_INT, right, messages, MPI_COMM_WORLD, &freed);
  MPI_Request_free(&freed);
  MPI_Send(&rank, 1, MPI_INT, right, messages + 1, MPI_COMM_WORLD);
  rank += 100;  // what was sent is sent
  MPI_Recv(&last, 1, MPI_INT, left, messages, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Recv(&last, 1, MPI_INT, left, messages + 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Waitall(2 * messages, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < messages; ++i)
    for (int k = 0; k < size_of(i); ++k) sum += in[i][k] == (char)(left + i);
  printf("%d %d", last, sum);
  MPI_Finalize();
  return 0;
}
