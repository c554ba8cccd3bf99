// SPDX-License-Identifier: MIT
//
// A buffer of a session serves buffered sends on the communicators that come from it, unless they have one of their
// own; without any, the send is an error.
// ranks: 2
#include <assert.h>
#include <mpi.h>
#include <stdlib.h>

static MPI_Comm communicator(MPI_Session session) {
  MPI_Group world, same;
  MPI_Comm made, copy;
  MPI_Group_from_session_pset(session, "mpi://WORLD", &world);
  MPI_Group_union(world, MPI_GROUP_EMPTY, &same);
  MPI_Comm_create_from_group(same, "buffers", MPI_INFO_NULL, MPI_ERRORS_RETURN, &made);
  MPI_Comm_dup(made, &copy);
  MPI_Group_free(&world);
  MPI_Group_free(&same);
  MPI_Comm_free(&made);
  return copy;
}

int main(void) {
  const int bytes = 8 + MPI_BSEND_OVERHEAD;
  char *buffer = malloc(bytes), *detached;
  int rank, size, class;
  long data[2] = {7, 8};
  MPI_Count large;
  MPI_Session session;
  MPI_Request request;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
  MPI_Comm comm = communicator(session);
  MPI_Comm_rank(comm, &rank);
  if (rank == 0) {
    MPI_Error_class(MPI_Bsend(data, 1, MPI_LONG, 1, 0, comm), &class);
    assert(class == MPI_ERR_BUFFER);
    assert(MPI_Session_attach_buffer(session, buffer, bytes) == MPI_SUCCESS);
    assert(MPI_Bsend(data, 1, MPI_LONG, 1, 0, comm) == MPI_SUCCESS);
    MPI_Error_class(MPI_Bsend(data, 2, MPI_LONG, 1, 0, comm), &class);
    assert(class == MPI_ERR_BUFFER);
    MPI_Session_flush_buffer(session);
    assert(MPI_Bsend(data + 1, 1, MPI_LONG, 1, 0, comm) == MPI_SUCCESS);
    MPI_Session_iflush_buffer(session, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Session_detach_buffer(session, &detached, &size);
    assert(detached == buffer && size == bytes);
    MPI_Session_attach_buffer_c(session, MPI_BUFFER_AUTOMATIC, 0);
    assert(MPI_Bsend(data, 2, MPI_LONG, 1, 0, comm) == MPI_SUCCESS);
    MPI_Session_detach_buffer_c(session, &detached, &large);
    assert(detached == MPI_BUFFER_AUTOMATIC);
  } else {
    MPI_Recv(data, 1, MPI_LONG, 0, 0, comm, MPI_STATUS_IGNORE);
    MPI_Recv(data + 1, 1, MPI_LONG, 0, 0, comm, MPI_STATUS_IGNORE);
    assert(data[0] == 7 && data[1] == 8);
    MPI_Recv(data, 2, MPI_LONG, 0, 0, comm, MPI_STATUS_IGNORE);
  }
  MPI_Comm_free(&comm);
  MPI_Session_finalize(&session);
  free(buffer);
  return 0;
}
