// SPDX-License-Identifier: MIT
//
// The interface for tools: a counter of calls for each function.
// ranks: 1
// executions: 1
#include <assert.h>
#include <mpi.h>
#include <string.h>

int main(int argc, char** argv) {
  int provided, index, number, class_of, length = 64, count;
  unsigned long long calls;
  char name[64];
  MPI_Datatype datatype;
  MPI_T_pvar_session session;
  MPI_T_pvar_handle handle;
  assert(MPI_T_pvar_get_num(&number) == MPI_T_ERR_NOT_INITIALIZED);
  MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
  MPI_Init(&argc, &argv);
  MPI_T_pvar_get_num(&number);
  assert(MPI_T_pvar_get_index("MPI_Barrier", MPI_T_PVAR_CLASS_COUNTER, &index) == MPI_SUCCESS && index < number);
  MPI_T_pvar_get_info(index, name, &length, 0, &class_of, &datatype, 0, 0, 0, 0, 0, 0, 0);
  assert(strcmp(name, "MPI_Barrier") == 0 && class_of == MPI_T_PVAR_CLASS_COUNTER);
  assert(datatype == MPI_UNSIGNED_LONG_LONG);
  MPI_T_pvar_session_create(&session);
  MPI_T_pvar_handle_alloc(session, index, 0, &handle, &count);
  for (int i = 0; i < 3; ++i) MPI_Barrier(MPI_COMM_SELF);
  MPI_T_pvar_read(session, handle, &calls);
  assert(calls == 3 && count == 1);
  assert(MPI_T_pvar_start(session, handle) == MPI_T_ERR_PVAR_NO_STARTSTOP);
  MPI_T_pvar_handle_free(session, &handle);
  MPI_T_pvar_session_free(&session);
  MPI_T_cvar_get_num(&number);
  assert(number == 0);
  MPI_Finalize();
  MPI_T_finalize();
  return 0;
}
