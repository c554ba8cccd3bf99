// SPDX-License-Identifier: MIT
//
// Most calls of MPI, in an order that every MPI gives: each wildcard, Waitany and poll has one possible outcome. So the
// recordings of all MPIs are equal.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size;

static int right(void) { return (rank + 1) % size; }
static int left(void) { return (rank + size - 1) % size; }

static double work(int steps) {
  double sum = 0;
  for (int i = 1; i < steps; ++i) sum += 1.0 / i;
  return sum;
}

static void modes(void) {
  double out[100], in[100];
  for (int i = 0; i < 100; ++i) out[i] = work(1000 + i);
  MPI_Request requests[4];
  MPI_Irecv(in, 100, MPI_DOUBLE, left(), 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Send(out, 50, MPI_DOUBLE, right(), 1, MPI_COMM_WORLD);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Irecv(in, 100, MPI_DOUBLE, left(), 2, MPI_COMM_WORLD, &requests[0]);
  MPI_Ssend(out, 10, MPI_DOUBLE, right(), 2, MPI_COMM_WORLD);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Irecv(in, 100, MPI_DOUBLE, left(), 3, MPI_COMM_WORLD, &requests[0]);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Rsend(out, 20, MPI_DOUBLE, right(), 3, MPI_COMM_WORLD);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);

  char* room = malloc(10000);
  MPI_Buffer_attach(room, 10000);
  MPI_Bsend(out, 30, MPI_DOUBLE, right(), 4, MPI_COMM_WORLD);
  MPI_Recv(in, 100, MPI_DOUBLE, left(), 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Ibsend(out, 30, MPI_DOUBLE, right(), 5, MPI_COMM_WORLD, &requests[0]);
  MPI_Recv(in, 100, MPI_DOUBLE, left(), 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  void* detached;
  int bytes;
  MPI_Buffer_detach(&detached, &bytes);
  free(room);

  MPI_Irecv(in, 40, MPI_DOUBLE, left(), 6, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(in + 40, 40, MPI_DOUBLE, left(), 7, MPI_COMM_WORLD, &requests[1]);
  MPI_Issend(out, 40, MPI_DOUBLE, right(), 6, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(out, 40, MPI_DOUBLE, right(), 7, MPI_COMM_WORLD, &requests[3]);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);

  MPI_Sendrecv(out, 5, MPI_DOUBLE, right(), 8, in, 5, MPI_DOUBLE, left(), 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv_replace(in, 5, MPI_DOUBLE, left(), 9, right(), MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Isend(out, 1, MPI_DOUBLE, right(), 10, MPI_COMM_WORLD, &requests[0]);
  MPI_Request_free(&requests[0]);
  MPI_Recv(in, 1, MPI_DOUBLE, left(), 10, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

// Several sends that may be complete at once: MPICH gives them one handle.
static void many_sends(void) {
  MPI_Request sends[8], receives[8];
  int out[8], in[8];
  for (int i = 0; i < 8; ++i) {
    out[i] = i;
    MPI_Isend(&out[i], 1, MPI_INT, right(), 20 + i, MPI_COMM_WORLD, &sends[i]);
  }
  for (int i = 0; i < 8; ++i) MPI_Irecv(&in[i], 1, MPI_INT, left(), 20 + i, MPI_COMM_WORLD, &receives[i]);
  MPI_Waitall(8, receives, MPI_STATUSES_IGNORE);
  for (int i = 7; i >= 4; --i) MPI_Wait(&sends[i], MPI_STATUS_IGNORE);
  MPI_Waitall(4, sends, MPI_STATUSES_IGNORE);
}

static void nobody(void) {
  int value = 0;
  MPI_Status status;
  MPI_Request requests[2];
  MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
  MPI_Recv(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status);
  MPI_Irecv(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(&value, 1, MPI_INT, left(), 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Sendrecv(&rank, 1, MPI_INT, right(), 0, &value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Probe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status);
}

// Rank 0 takes messages from anybody, one after the other.
static void wildcards(void) {
  int value = 0, flag = 0;
  MPI_Status status;
  if (rank == 0) {
    for (int peer = size - 1; peer > 0; --peer) {
      MPI_Send(&peer, 1, MPI_INT, peer, 30, MPI_COMM_WORLD);
      if (peer % 3 == 0) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      } else if (peer % 3 == 1) {
        MPI_Request request;
        MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 31, MPI_COMM_WORLD, &request);
        for (flag = 0; !flag;) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
      } else {
        for (flag = 0; !flag;) MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
        MPI_Recv(&value, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &status);
      }
      if (value != peer) MPI_Abort(MPI_COMM_WORLD, 1);
    }
  } else {
    MPI_Recv(&value, 1, MPI_INT, 0, 30, MPI_COMM_WORLD, &status);
    MPI_Send(&rank, 1, MPI_INT, 0, 31, MPI_COMM_WORLD);
  }
  MPI_Message message;
  if (rank == 0) {
    MPI_Send(&rank, 1, MPI_INT, 1, 32, MPI_COMM_WORLD);
    MPI_Send(&rank, 1, MPI_INT, 1, 33, MPI_COMM_WORLD);
  } else if (rank == 1) {
    MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status);
    MPI_Mrecv(&value, 1, MPI_INT, &message, &status);
    for (flag = 0; !flag;) MPI_Improbe(0, 33, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
    MPI_Request request;
    MPI_Imrecv(&value, 1, MPI_INT, &message, &request);
    MPI_Wait(&request, &status);
  }
}

// Rank 0 lets the others send in turn, so each call has one possible answer.
static void any_and_some(void) {
  enum { turns = 6 };
  MPI_Request requests[turns];
  int values[turns], index, count, flag, indices[turns];
  if (rank == 1) {
    for (int i = turns - 1; i >= 0; --i) {
      MPI_Recv(&index, 1, MPI_INT, 0, 40, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(&i, 1, MPI_INT, 0, 41 + i, MPI_COMM_WORLD);
    }
  }
  if (rank != 0) return;
  for (int i = 0; i < turns; ++i)
    MPI_Irecv(&values[i], 1, MPI_INT, i % 2 ? MPI_ANY_SOURCE : 1, 41 + i, MPI_COMM_WORLD, &requests[i]);
  for (int i = turns - 1; i >= 0; --i) {
    MPI_Send(&i, 1, MPI_INT, 1, 40, MPI_COMM_WORLD);
    if (i == 0) {
      MPI_Waitall(turns, requests, MPI_STATUSES_IGNORE);
    } else if (i % 4 == 1) {
      MPI_Waitany(turns, requests, &index, MPI_STATUS_IGNORE);
    } else if (i % 4 == 2) {
      MPI_Waitsome(turns, requests, &count, indices, MPI_STATUSES_IGNORE);
    } else if (i % 4 == 3) {
      for (flag = 0; !flag;) MPI_Testany(turns, requests, &index, &flag, MPI_STATUS_IGNORE);
    } else {
      for (count = 0; count == 0;) MPI_Testsome(turns, requests, &count, indices, MPI_STATUSES_IGNORE);
    }
  }
  MPI_Testall(turns, requests, &flag, MPI_STATUSES_IGNORE);
}

static void persistent(void) {
  double out[10] = {0}, in[10];
  MPI_Request requests[3];
  MPI_Send_init(out, 10, MPI_DOUBLE, right(), 50, MPI_COMM_WORLD, &requests[0]);
  MPI_Recv_init(in, 10, MPI_DOUBLE, MPI_ANY_SOURCE, 50, MPI_COMM_WORLD, &requests[1]);
  MPI_Ssend_init(out, 1, MPI_DOUBLE, MPI_PROC_NULL, 50, MPI_COMM_WORLD, &requests[2]);
  for (int i = 0; i < 3; ++i) {
    MPI_Startall(3, requests);
    if (work(5000) < 0) return;
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Start(&requests[1]);
  MPI_Send(out, 10, MPI_DOUBLE, right(), 50, MPI_COMM_WORLD);
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  for (int i = 0; i < 3; ++i) MPI_Request_free(&requests[i]);
}

static void cancelled(void) {
  int value;
  MPI_Request request;
  MPI_Status status;
  MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 60, MPI_COMM_WORLD, &request);
  MPI_Cancel(&request);
  MPI_Wait(&request, &status);
}

// What collectives move, and where.
struct room {
  int me, last, members;
  int *in, *out, *counts, *places;
  MPI_Datatype* types;
};

static struct room make_room(MPI_Comm comm) {
  struct room room;
  MPI_Comm_rank(comm, &room.me);
  MPI_Comm_size(comm, &room.members);
  const size_t members = (size_t)room.members;
  room.last = room.members - 1;
  room.in = calloc(members * 8, sizeof(int));
  room.out = calloc(members * 8, sizeof(int));
  room.counts = calloc(members, sizeof(int));
  room.places = calloc(members, sizeof(int));
  room.types = calloc(members, sizeof(MPI_Datatype));
  for (int i = 0; i < room.members; ++i) {
    room.counts[i] = i % 3 + 1;
    room.places[i] = 4 * i;
    room.types[i] = MPI_INT;
  }
  return room;
}

static void free_room(struct room room) {
  free(room.in);
  free(room.out);
  free(room.counts);
  free(room.places);
  free(room.types);
}

static void blocking_collectives(MPI_Comm comm) {
  const struct room room = make_room(comm);
  int *const in = room.in, *const out = room.out, *const counts = room.counts, *const places = room.places;
  MPI_Datatype* const types = room.types;
  const int me = room.me, last = room.last, members = room.members;
  MPI_Barrier(comm);
  MPI_Bcast(in, 7, MPI_INT, last, comm);
  MPI_Reduce(in, out, 5, MPI_INT, MPI_SUM, 0, comm);
  MPI_Reduce(me == last ? MPI_IN_PLACE : in, in, 5, MPI_INT, MPI_MAX, last, comm);
  MPI_Allreduce(in, out, 3, MPI_INT, MPI_SUM, comm);
  MPI_Allreduce(MPI_IN_PLACE, in, 3, MPI_INT, MPI_MIN, comm);
  MPI_Gather(in, 2, MPI_INT, out, 2, MPI_INT, 0, comm);
  MPI_Gather(me == 0 ? MPI_IN_PLACE : in, 2, MPI_INT, out, 2, MPI_INT, 0, comm);
  MPI_Gatherv(in, counts[me], MPI_INT, out, counts, places, MPI_INT, last, comm);
  MPI_Scatter(in, 2, MPI_INT, out, 2, MPI_INT, 0, comm);
  MPI_Scatterv(in, counts, places, MPI_INT, out, counts[me], MPI_INT, last, comm);
  MPI_Allgather(in, 2, MPI_INT, out, 2, MPI_INT, comm);
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, 2, MPI_INT, comm);
  MPI_Allgatherv(in, counts[me], MPI_INT, out, counts, places, MPI_INT, comm);
  MPI_Alltoall(in, 1, MPI_INT, out, 1, MPI_INT, comm);
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, 1, MPI_INT, comm);
  for (int i = 0; i < members; ++i) counts[i] = (i + me) % 3 + 1;
  MPI_Alltoallv(in, counts, places, MPI_INT, out, counts, places, MPI_INT, comm);
  for (int i = 0; i < members; ++i) places[i] *= (int)sizeof(int);
  MPI_Alltoallw(in, counts, places, types, out, counts, places, types, comm);
  for (int i = 0; i < members; ++i) counts[i] = i % 2 + 1;
  MPI_Reduce_scatter(in, out, counts, MPI_INT, MPI_SUM, comm);
  MPI_Reduce_scatter_block(in, out, 2, MPI_INT, MPI_SUM, comm);
  MPI_Scan(in, out, 2, MPI_INT, MPI_SUM, comm);
  MPI_Exscan(in, out, 2, MPI_INT, MPI_PROD, comm);
  free_room(room);
}

#define COMPLETE(call)                    \
  do {                                    \
    call;                                 \
    if (work(100) < 0) exit(1);           \
    MPI_Wait(request, MPI_STATUS_IGNORE); \
  } while (0)

static void nonblocking_collectives(MPI_Comm comm) {
  const struct room room = make_room(comm);
  int *const in = room.in, *const out = room.out, *const counts = room.counts, *const places = room.places;
  const int me = room.me, last = room.last, members = room.members;
  MPI_Request one, *const request = &one;
  COMPLETE(MPI_Ibarrier(comm, request));
  COMPLETE(MPI_Ibcast(in, 7, MPI_INT, last, comm, request));
  COMPLETE(MPI_Ireduce(in, out, 5, MPI_INT, MPI_SUM, 0, comm, request));
  COMPLETE(MPI_Iallreduce(in, out, 3, MPI_INT, MPI_SUM, comm, request));
  COMPLETE(MPI_Igather(in, 2, MPI_INT, out, 2, MPI_INT, 0, comm, request));
  COMPLETE(MPI_Igatherv(in, counts[me], MPI_INT, out, counts, places, MPI_INT, last, comm, request));
  COMPLETE(MPI_Iscatter(in, 2, MPI_INT, out, 2, MPI_INT, 0, comm, request));
  COMPLETE(MPI_Iscatterv(in, counts, places, MPI_INT, out, counts[me], MPI_INT, last, comm, request));
  COMPLETE(MPI_Iallgather(in, 2, MPI_INT, out, 2, MPI_INT, comm, request));
  COMPLETE(MPI_Iallgatherv(in, counts[me], MPI_INT, out, counts, places, MPI_INT, comm, request));
  COMPLETE(MPI_Ialltoall(in, 1, MPI_INT, out, 1, MPI_INT, comm, request));
  for (int i = 0; i < members; ++i) counts[i] = (i + me) % 3 + 1;
  COMPLETE(MPI_Ialltoallv(in, counts, places, MPI_INT, out, counts, places, MPI_INT, comm, request));
  for (int i = 0; i < members; ++i) counts[i] = i % 2 + 1;
  COMPLETE(MPI_Ireduce_scatter(in, out, counts, MPI_INT, MPI_SUM, comm, request));
  COMPLETE(MPI_Ireduce_scatter_block(in, out, 2, MPI_INT, MPI_SUM, comm, request));
  COMPLETE(MPI_Iscan(in, out, 2, MPI_INT, MPI_SUM, comm, request));
  COMPLETE(MPI_Iexscan(in, out, 2, MPI_INT, MPI_PROD, comm, request));
  free_room(room);
}

// A message and a collective in a communicator.
static void use(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return;
  int me, members, value = 0;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &members);
  MPI_Sendrecv(&rank, 1, MPI_INT, (me + 1) % members, 70, &value, 1, MPI_INT, (me + members - 1) % members, 70, comm,
               MPI_STATUS_IGNORE);
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, comm);
  if (me == 0) {
    for (int i = 1; i < members; ++i) MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, i, comm, MPI_STATUS_IGNORE);
  } else {
    MPI_Send(&value, 1, MPI_INT, 0, me, comm);
  }
}

static void communicators(void) {
  MPI_Comm copy, part, made, grid, row, other, node;
  MPI_Request request;
  MPI_Group all, some;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  use(copy);
  MPI_Comm_split(copy, rank % 2, -rank, &part);
  use(part);
  blocking_collectives(part);
  MPI_Comm_split(part, rank < 2 ? MPI_UNDEFINED : 1, 0, &other);
  use(other);
  MPI_Comm_split_type(copy, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_idup(part, &made, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  use(made);
  MPI_Comm_free(&made);
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  const int chosen[] = {2, 0};
  MPI_Group_incl(all, 2, chosen, &some);
  MPI_Comm_create(MPI_COMM_WORLD, some, &made);
  use(made);
  if (made != MPI_COMM_NULL) MPI_Comm_free(&made);
  for (int i = 0; i < 2; ++i) {
    if (rank != 0 && rank != 2) continue;
    MPI_Comm_create_group(MPI_COMM_WORLD, some, 5, &made);
    use(made);
    MPI_Comm_free(&made);
  }
  MPI_Group_free(&all);
  MPI_Group_free(&some);
  const int sizes[] = {2, size / 2}, periods[] = {1, 0}, remain[] = {0, 1};
  MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, periods, 0, &grid);
  if (grid != MPI_COMM_NULL) {
    int from, to, value = rank;
    MPI_Cart_shift(grid, 1, 1, &from, &to);
    MPI_Sendrecv(&rank, 1, MPI_INT, to, 1, &value, 1, MPI_INT, from, 1, grid, MPI_STATUS_IGNORE);
    MPI_Cart_sub(grid, remain, &row);
    use(row);
    MPI_Comm_free(&row);
    MPI_Comm_free(&grid);
  }
  MPI_Comm_free(&node);
  if (other != MPI_COMM_NULL) MPI_Comm_free(&other);
  MPI_Comm_free(&part);
  MPI_Comm_free(&copy);
}

static void types(void) {
  MPI_Datatype column;
  double matrix[16][8] = {{0}};
  MPI_Type_vector(8, 1, 8, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  MPI_Sendrecv(matrix, 2, column, right(), 80, &matrix[0][4], 2, column, left(), 80, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Bcast(matrix, 1, column, 0, MPI_COMM_WORLD);
  MPI_Type_free(&column);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  modes();
  many_sends();
  nobody();
  wildcards();
  MPI_Barrier(MPI_COMM_WORLD);
  any_and_some();
  persistent();
  cancelled();
  blocking_collectives(MPI_COMM_WORLD);
  nonblocking_collectives(MPI_COMM_WORLD);
  communicators();
  types();
  blocking_collectives(MPI_COMM_SELF);
  MPI_Finalize();
  return 0;
}
