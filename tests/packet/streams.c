// SPDX-License-Identifier: MIT
//
// Rank 0 sends messages with tags in turn. Rank 1 takes them with one receive for each tag, then with receives of any
// tag, then with both kinds at once, and checks the order that MPI guarantees. It prints the mean date of the first
// kind.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { tags = 8, messages = 160, numbers = 4000 };

static void send_all(void) {
  static int data[messages][numbers];
  MPI_Request requests[messages];
  for (int i = 0; i < messages; ++i) {
    data[i][0] = i;
    MPI_Isend(data[i], numbers, MPI_INT, 1, i % tags, MPI_COMM_WORLD, &requests[i]);
  }
  MPI_Waitall(messages, requests, MPI_STATUSES_IGNORE);
}

static void check(int is_right, const char* what, int found) {
  if (is_right) return;
  printf("wrong: %s: message %d\n", what, found);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void receive_by_tag(double begin) {
  static int data[tags][numbers];
  int next[tags];
  double dates = 0;
  MPI_Request requests[tags];
  for (int tag = 0; tag < tags; ++tag) {
    next[tag] = tag;
    MPI_Irecv(data[tag], numbers, MPI_INT, 0, tag, MPI_COMM_WORLD, &requests[tag]);
  }
  for (int i = 0; i < messages; ++i) {
    int tag;
    MPI_Waitany(tags, requests, &tag, MPI_STATUS_IGNORE);
    dates += MPI_Wtime() - begin;
    check(data[tag][0] == next[tag], "one receive for each tag", data[tag][0]);
    next[tag] += tags;
    if (next[tag] < messages) MPI_Irecv(data[tag], numbers, MPI_INT, 0, tag, MPI_COMM_WORLD, &requests[tag]);
  }
  printf("mean %.9f\n", dates / messages);
}

static void receive_any(void) {
  static int data[numbers];
  for (int i = 0; i < messages; ++i) {
    MPI_Status status;
    MPI_Recv(data, numbers, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    check(data[0] == i && status.MPI_TAG == i % tags, "any tag", data[0]);
  }
}

// Receives of any tag take the first messages; those that name tag 3 come after them.
static void receive_mixed(void) {
  static int data[tags][numbers];
  MPI_Request requests[tags];
  for (int round = 0; round < messages / tags; ++round) {
    for (int i = 0; i < tags; ++i)
      MPI_Irecv(data[i], numbers, MPI_INT, 0, i == 2 ? 3 : MPI_ANY_TAG, MPI_COMM_WORLD, &requests[i]);
    MPI_Waitall(tags, requests, MPI_STATUSES_IGNORE);
    const int order[tags] = {0, 1, 3, 2, 4, 5, 6, 7};
    for (int i = 0; i < tags; ++i) check(data[i][0] == tags * round + order[i], "both kinds", data[i][0]);
  }
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int kind = 0; kind < 3; ++kind) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    if (rank == 0) send_all();
    if (rank == 1 && kind == 0) receive_by_tag(begin);
    if (rank == 1 && kind == 1) receive_any();
    if (rank == 1 && kind == 2) receive_mixed();
  }
  MPI_Finalize();
  return 0;
}
