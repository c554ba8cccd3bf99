// SPDX-License-Identifier: MIT
//
// A program that ends, chosen by the seed in its argument: rounds of messages to wildcards, polls, probes, sub-
// communicators, collectives and computation. The test of recordings runs it.
#include <mpi.h>
#include <stdlib.h>

enum { most = 100000 };
static char sent[most], received[64][most];
static unsigned long long state;

static int chosen(int choices) {  // the same on all ranks
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (int)((state >> 33) % (unsigned)choices);
}

static int size_chosen(void) {
  const int sizes[] = {0, 1, 8, 1000, 20000, 65536, 65537, most};
  return sizes[chosen(8)];
}

static void work(int units) {
  volatile double x = 1;
  for (int i = 0; i < units * 1000; ++i) x = x * 1.0000001;
}

// The root takes a message from each of the others; `how` to wait for them.
static void fan_in(MPI_Comm comm, int how) {
  int rank, size, root, bytes = size_chosen(), tag = chosen(3);
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  root = chosen(4) % size;
  if (rank != root) {
    MPI_Request request;
    if (how % 2) MPI_Isend(sent, bytes, MPI_CHAR, root, tag, comm, &request), MPI_Wait(&request, MPI_STATUS_IGNORE);
    else MPI_Send(sent, bytes, MPI_CHAR, root, tag, comm);
    return;
  }
  MPI_Request requests[64];
  int count = size - 1, flag = 0, index, done;
  if (how < 3)
    for (int i = 0; i < count; ++i)
      MPI_Irecv(received[i], most, MPI_CHAR, MPI_ANY_SOURCE, how == 0 ? MPI_ANY_TAG : tag, comm, &requests[i]);
  switch (how) {
    case 0:
      for (int i = 0; i < count; ++i) MPI_Waitany(count, requests, &index, MPI_STATUS_IGNORE);
      break;
    case 1:
      for (int i = 0; i < count; ++i)
        for (flag = 0; !flag;) MPI_Test(&requests[i], &flag, MPI_STATUS_IGNORE);
      break;
    case 2: {
      int indices[64];
      for (int i = 0; i < count; i += done) MPI_Waitsome(count, requests, &done, indices, MPI_STATUSES_IGNORE);
      break;
    }
    case 3:
      for (int i = 0; i < count; ++i) {
        MPI_Status status;
        for (flag = 0; !flag;) MPI_Iprobe(MPI_ANY_SOURCE, tag, comm, &flag, &status);
        MPI_Recv(received[0], most, MPI_CHAR, status.MPI_SOURCE, tag, comm, MPI_STATUS_IGNORE);
      }
      break;
    case 4:
      for (int i = 0; i < count; ++i) {
        MPI_Message message;
        for (flag = 0; !flag;) MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, &message, MPI_STATUS_IGNORE);
        MPI_Mrecv(received[0], most, MPI_CHAR, &message, MPI_STATUS_IGNORE);
      }
      break;
    default:
      for (int i = 0; i < count; ++i)
        MPI_Recv(received[i], most, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE);
  }
}

static void collective(MPI_Comm comm, int which) {
  int rank, size, flag = 0, bytes = size_chosen() / 64;
  MPI_Request request;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  switch (which) {
    case 0: MPI_Bcast(sent, bytes, MPI_CHAR, size - 1, comm); break;
    case 1: MPI_Allreduce(sent, received[0], bytes, MPI_SIGNED_CHAR, MPI_MAX, comm); break;
    case 2: MPI_Alltoall(sent, bytes, MPI_CHAR, received, bytes, MPI_CHAR, comm); break;
    case 3:
      MPI_Ibarrier(comm, &request);
      while (!flag) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
      break;
    case 4: MPI_Scan(sent, received[0], bytes, MPI_SIGNED_CHAR, MPI_MAX, comm); break;
    default: MPI_Gather(sent, bytes, MPI_CHAR, received, bytes, MPI_CHAR, 0, comm);
  }
}

static void ring(MPI_Comm comm) {
  int rank, size, bytes = size_chosen();
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  MPI_Sendrecv(sent, bytes, MPI_CHAR, (rank + 1) % size, 7, received[0], most, MPI_CHAR, (rank + size - 1) % size, 7,
               comm, MPI_STATUS_IGNORE);
}

// A receive that nobody sends to, until it is cancelled.
static void cancel(MPI_Comm comm) {
  MPI_Request request;
  MPI_Irecv(received[63], 8, MPI_CHAR, MPI_ANY_SOURCE, 99, comm, &request);
  MPI_Cancel(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  state = (unsigned long long)(argc > 1 ? atoi(argv[1]) : 0);
  for (int round = 4 + chosen(12); round > 0; --round) {
    MPI_Comm comm = MPI_COMM_WORLD;
    const int colours = chosen(3);
    if (colours > 0) MPI_Comm_split(MPI_COMM_WORLD, rank % colours, chosen(2) ? -rank : rank, &comm);
    work(chosen(4) * (rank % 3));
    switch (chosen(5)) {
      case 0:
      case 1: fan_in(comm, chosen(6)); break;
      case 2: collective(comm, chosen(6)); break;
      case 3: ring(comm); break;
      default: cancel(comm);
    }
    if (chosen(4) == 0) {
      const double start = MPI_Wtime();
      while (MPI_Wtime() < start + 1e-6 * rank) {
      }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (colours > 0) MPI_Comm_free(&comm);
  }
  MPI_Finalize();
  return 0;
}
