// SPDX-License-Identifier: MIT
//
// Every mode of sending and receiving in each of its forms: blocking, nonblocking, persistent, with large counts.
// ranks: 2
// executions: 1
#include <assert.h>
#include <mpi.h>

#define TO 1, 5, MPI_COMM_WORLD
#define FROM 0, 5, MPI_COMM_WORLD
static int rank, data[2], round;
static MPI_Request request;

static void finish(void) {
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void start(void) {
  MPI_Start(&request);
  finish();
  MPI_Request_free(&request);
}

// Rank 1 says that it has posted its receive, then both go on: also right for ready mode.
#define BOTH(send, receive)                                                          \
  {                                                                                  \
    MPI_Request posted;                                                              \
    MPI_Status status;                                                               \
    MPI_Count count;                                                                 \
    data[0] = rank ? -1 : ++round;                                                   \
    if (rank) {                                                                      \
      receive;                                                                       \
      MPI_Send(0, 0, MPI_INT, 0, 6, MPI_COMM_WORLD);                                 \
      MPI_Wait(&posted, &status);                                                    \
      if (posted != MPI_REQUEST_NULL) MPI_Request_free(&posted);                     \
      MPI_Get_count_c(&status, MPI_INT, &count);                                     \
      assert(data[0] == ++round && count == 2 && status.MPI_SOURCE == 0 && status.MPI_TAG == 5); \
    } else {                                                                         \
      MPI_Recv(0, 0, MPI_INT, 1, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);              \
      send;                                                                          \
    }                                                                                \
  }
#define PERSISTENT(init) \
  {                      \
    init;                \
    MPI_Start(&posted);  \
  }
#define MODE(X, IX)                                                                                              \
  BOTH(MPI_##X(data, 2, MPI_INT, TO), MPI_Irecv(data, 2, MPI_INT, FROM, &posted))                                \
  BOTH(MPI_##X##_c(data, 2, MPI_INT, TO), MPI_Irecv_c(data, 2, MPI_INT, FROM, &posted))                          \
  BOTH(MPI_##IX(data, 2, MPI_INT, TO, &request); finish(),                                                       \
       PERSISTENT(MPI_Recv_init(data, 2, MPI_INT, FROM, &posted)))                                               \
  BOTH(MPI_##IX##_c(data, 2, MPI_INT, TO, &request); finish(),                                                   \
       PERSISTENT(MPI_Recv_init_c(data, 2, MPI_INT, FROM, &posted)))                                             \
  BOTH(MPI_##X##_init(data, 2, MPI_INT, TO, &request); start(), MPI_Irecv(data, 2, MPI_INT, FROM, &posted))      \
  BOTH(MPI_##X##_init_c(data, 2, MPI_INT, TO, &request); start(), MPI_Irecv(data, 2, MPI_INT, FROM, &posted))

static void combined(void) {
  const int other = 1 - rank;
  int in = -1, both = rank;
  MPI_Sendrecv_c(&rank, 1, MPI_INT, other, 1, &in, 1, MPI_INT, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  assert(in == other);
  MPI_Sendrecv_replace_c(&both, 1, MPI_INT, other, 2, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  assert(both == other);
  MPI_Isendrecv_c(&rank, 1, MPI_INT, other, 3, &in, 1, MPI_INT, other, 3, MPI_COMM_WORLD, &request);
  finish();
  MPI_Isendrecv_replace_c(&both, 1, MPI_INT, other, 4, other, 4, MPI_COMM_WORLD, &request);
  finish();
  assert(both == rank);
}

static void matched(void) {
  MPI_Message message;
  if (rank) {
    MPI_Mprobe(FROM, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv_c(data, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    MPI_Mprobe(FROM, &message, MPI_STATUS_IGNORE);
    MPI_Imrecv_c(data + 1, 1, MPI_INT, &message, &request);
    finish();
    MPI_Recv_c(data, 1, MPI_INT, FROM, MPI_STATUS_IGNORE);
    assert(data[0] == 3 && data[1] == 2);
  } else {
    for (int i = 1; i <= 3; ++i) MPI_Send_c(&i, 1, MPI_INT, TO);
  }
}

static void partitioned(void) {
  MPI_Request parts;
  data[0] = data[1] = rank ? 0 : 9;
  if (rank) {
    MPI_Precv_init_c(data, 2, 1, MPI_INT, FROM, MPI_INFO_NULL, &parts);
  } else {
    MPI_Psend_init_c(data, 2, 1, MPI_INT, TO, MPI_INFO_NULL, &parts);
  }
  MPI_Start(&parts);
  if (!rank) MPI_Pready_list(2, (const int[]){1, 0}, parts);
  MPI_Wait(&parts, MPI_STATUS_IGNORE);
  assert(data[1] == 9);
  MPI_Request_free(&parts);
}

int main(int argc, char** argv) {
  static char buffer[4 * (MPI_BSEND_OVERHEAD + 8)];
  char* detached;
  MPI_Count bytes;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Buffer_attach_c(buffer, sizeof buffer);
  MODE(Send, Isend)
  MODE(Ssend, Issend)
  MODE(Rsend, Irsend)
  MODE(Bsend, Ibsend)
  MPI_Buffer_flush();
  MPI_Buffer_iflush(&request);
  finish();
  MPI_Buffer_detach_c(&detached, &bytes);
  assert(detached == buffer && bytes == sizeof buffer);
  MPI_Comm_attach_buffer_c(MPI_COMM_WORLD, buffer, sizeof buffer);
  MPI_Comm_flush_buffer(MPI_COMM_WORLD);
  MPI_Comm_detach_buffer_c(MPI_COMM_WORLD, &detached, &bytes);
  assert(detached == buffer && bytes == sizeof buffer);
  combined();
  matched();
  partitioned();
  MPI_Finalize();
  return 0;
}
