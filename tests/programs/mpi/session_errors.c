// SPDX-License-Identifier: MIT
//
// The handler of a session decides about errors of calls on it, the one that a communicator is to have about errors of
// making it; nobody else's.
// ranks: 2
// executions: 1
#include <assert.h>
#include <mpi.h>

static int sessions, communicators, class;
static void note_session(MPI_Session* session, int* code, ...) {
  assert(*session != MPI_SESSION_NULL);
  ++sessions;
  class = *code;
}
static void note_communicator(MPI_Comm* comm, int* code, ...) {
  (void)comm;
  ++communicators;
  class = *code;
}

int main(void) {
  int length = 0, count;
  MPI_Session session;
  MPI_Errhandler of_session, of_communicator;
  MPI_Group group, world;
  MPI_Comm comm;
  MPI_Info info;
  MPI_Session_create_errhandler(note_session, &of_session);
  assert(MPI_Session_init(MPI_INFO_NULL, of_session, &session) == MPI_SUCCESS);
  assert(MPI_Group_from_session_pset(session, "mpi://NOWHERE", &group) == MPI_ERR_ARG);
  assert(sessions == 1 && class == MPI_ERR_ARG);
  assert(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 99, &length, 0) == MPI_ERR_ARG);
  assert(MPI_Session_get_pset_info(session, "nothing", &info) == MPI_ERR_ARG && sessions == 3);
  assert(MPI_Session_set_errhandler(session, MPI_ERRORS_RETURN) == MPI_SUCCESS);
  assert(MPI_Session_get_num_psets(session, MPI_INFO_NULL, &count) == MPI_SUCCESS && count == 2);
  assert(MPI_Group_from_session_pset(session, "mpi://NOWHERE", &group) == MPI_ERR_ARG && sessions == 3);

  MPI_Comm_create_errhandler(note_communicator, &of_communicator);
  assert(MPI_Comm_create_from_group(MPI_GROUP_NULL, "tag", MPI_INFO_NULL, of_communicator, &comm) == MPI_ERR_GROUP);
  assert(communicators == 1 && class == MPI_ERR_GROUP);
  assert(MPI_Comm_create_from_group(MPI_GROUP_NULL, "tag", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm) == MPI_ERR_GROUP);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &world);
  MPI_Comm_create_from_group(world, "tag", MPI_INFO_NULL, of_communicator, &comm);
  MPI_Group_free(&world);
  assert(MPI_Send(0, 0, MPI_INT, 99, 0, comm) == MPI_ERR_RANK && communicators == 2 && class == MPI_ERR_RANK);
  MPI_Comm_free(&comm);
  MPI_Errhandler_free(&of_communicator);
  MPI_Errhandler_free(&of_session);
  MPI_Session_finalize(&session);
  assert(session == MPI_SESSION_NULL && sessions == 3 && communicators == 2);
  return 0;
}
