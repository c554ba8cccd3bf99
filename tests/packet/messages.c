// SPDX-License-Identifier: MIT
//
// messages BYTES: half round trips, an all-to-all, and two ranks that send to each other, the second one late.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void exchange(const char* name, int rank, int bytes, char* in, char* out, int late_microseconds) {
  MPI_Request requests[2];
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank > 1) return;
  double seconds = MPI_Wtime();
  if (rank == 1 && late_microseconds > 0) usleep(late_microseconds);
  MPI_Irecv(in, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(out, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  seconds = MPI_Wtime() - seconds;
  if (rank == 0) printf("%s %.3f us\n", name, 1e6 * seconds);
}

int main(int argc, char** argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int bytes = atoi(argv[1]);
  char* in = calloc((size_t)ranks, (size_t)bytes + 1);
  char* out = calloc((size_t)ranks, (size_t)bytes + 1);
  double seconds = 0;
  for (int round = 0; round < 4; ++round) {
    MPI_Barrier(MPI_COMM_WORLD);
    seconds = MPI_Wtime();
    if (rank == 0) {
      MPI_Send(out, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
      MPI_Recv(in, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
      MPI_Recv(in, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(out, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    }
    seconds = MPI_Wtime() - seconds;
  }
  if (rank == 0) printf("half round trip %.3f us\n", 1e6 * seconds / 2);
  exchange("together", rank, bytes, in, out, 0);
  exchange("late", rank, bytes, in, out, 2000);
  MPI_Barrier(MPI_COMM_WORLD);
  seconds = MPI_Wtime();
  MPI_Alltoall(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, MPI_COMM_WORLD);
  seconds = MPI_Wtime() - seconds;
  if (rank == 0) printf("all-to-all %.3f us\n", 1e6 * seconds);
  usleep((useconds_t)(1500 * rank));
  seconds = MPI_Wtime();
  MPI_Alltoall(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, MPI_COMM_WORLD);
  seconds = MPI_Wtime() - seconds;
  if (rank == 0) printf("all-to-all, not in step %.3f us\n", 1e6 * seconds);
  MPI_Finalize();
  return 0;
}
