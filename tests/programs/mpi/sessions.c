// SPDX-License-Identifier: MIT
//
// MPI without MPI_Init: sessions, their sets of processes, and communicators made from groups.
// ranks: 3
// executions: 1
#include <assert.h>
#include <mpi.h>
#include <string.h>

// Rank 0 against the others.
static void connect(MPI_Group all, int rank) {
  const int first = 0;
  int size, got = -1;
  MPI_Group one, others;
  MPI_Comm inter;
  MPI_Group_incl(all, 1, &first, &one);
  MPI_Group_excl(all, 1, &first, &others);
  MPI_Intercomm_create_from_groups(rank == 0 ? one : others, 0, rank == 0 ? others : one, 0, "another name",
                                   MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &inter);
  MPI_Comm_remote_size(inter, &size);
  assert(size == (rank == 0 ? 2 : 1));
  MPI_Bcast(&got, 1, MPI_INT, rank == 0 ? MPI_ROOT : 0, inter);
  MPI_Comm_free(&inter);
  MPI_Group_free(&one);
  MPI_Group_free(&others);
}

int main(void) {
  int count, length = MPI_MAX_OBJECT_NAME, sum, rank, flag, one = 1;
  char name[MPI_MAX_OBJECT_NAME], value[16];
  MPI_Session session;
  MPI_Group all;
  MPI_Comm comm;
  MPI_Info info;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Session_get_num_psets(session, MPI_INFO_NULL, &count);
  assert(count == 2);
  MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, &length, name);
  assert(strcmp(name, "mpi://WORLD") == 0 && length == (int)strlen(name) + 1);
  MPI_Session_get_pset_info(session, name, &info);
  length = sizeof value;
  MPI_Info_get_string(info, "mpi_size", &length, value, &flag);
  assert(flag && strcmp(value, "3") == 0);
  MPI_Group_from_session_pset(session, name, &all);
  MPI_Comm_create_from_group(all, "a name", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
  MPI_Comm_rank(comm, &rank);
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
  assert(sum == 3 && rank < 3);
  connect(all, rank);
  MPI_Info_free(&info);
  MPI_Group_free(&all);
  MPI_Comm_free(&comm);
  MPI_Session_finalize(&session);
  return 0;
}
