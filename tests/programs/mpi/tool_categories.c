// SPDX-License-Identifier: MIT
//
// The categories of the tool interface are the chapters of the standard; there are no control variables and events,
// and a call that asks for one gets that answer.
// ranks: 1
#include <assert.h>
#include <mpi.h>
#include <string.h>

static void categories(void) {
  char name[64], text[64];
  int index, length = sizeof name, text_length = sizeof text, cvars, pvars, inner, indices[800], events, send, number;
  MPI_T_category_get_num(&number);
  assert(number > 10 && MPI_T_category_get_index("point-to-point", &index) == MPI_SUCCESS);
  MPI_T_category_get_info(index, name, &length, text, &text_length, &cvars, &pvars, &inner);
  assert(strcmp(name, "point-to-point") == 0 && strcmp(text, "Point-to-point communication") == 0);
  assert(cvars == 0 && inner == 0 && 50 < pvars && pvars < 200);
  MPI_T_category_get_pvars(index, 800, indices);
  MPI_T_pvar_get_index("MPI_Send", MPI_T_PVAR_CLASS_COUNTER, &send);
  int found = 0;
  for (int i = 0; i < pvars; ++i) found |= indices[i] == send;
  assert(found);
  indices[1] = -7;
  MPI_T_category_get_pvars(index, 1, indices);
  assert(indices[1] == -7);
  MPI_T_category_get_num_events(index, &events);
  assert(events == 0 && MPI_T_category_get_cvars(index, 0, indices) == MPI_SUCCESS);
  assert(MPI_T_category_get_categories(index, 0, indices) == MPI_SUCCESS);
  assert(MPI_T_category_get_events(index, 0, indices) == MPI_SUCCESS);
  assert(MPI_T_category_get_index("nothing", &index) == MPI_T_ERR_INVALID_NAME);
  assert(MPI_T_category_get_pvars(number, 1, indices) == MPI_T_ERR_INVALID_INDEX);
  assert(MPI_T_category_changed(&number) == MPI_SUCCESS && number == 0);
}

static void counters(void) {
  int index, count;
  unsigned long long value;
  MPI_T_pvar_session session;
  MPI_T_pvar_handle handle;
  MPI_T_pvar_get_index("MPI_Comm_size", MPI_T_PVAR_CLASS_COUNTER, &index);
  MPI_T_pvar_session_create(&session);
  MPI_T_pvar_handle_alloc(session, index, 0, &handle, &count);
  assert(count == 1);
  MPI_Comm_size(MPI_COMM_WORLD, &count);
  MPI_Comm_size(MPI_COMM_WORLD, &count);
  MPI_T_pvar_read(session, handle, &value);
  assert(value == 2);
  assert(MPI_T_pvar_stop(session, handle) == MPI_T_ERR_PVAR_NO_STARTSTOP);
  assert(MPI_T_pvar_stop(session, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS);
  assert(MPI_T_pvar_write(session, handle, &value) == MPI_T_ERR_PVAR_NO_WRITE);
  assert(MPI_T_pvar_reset(session, handle) == MPI_T_ERR_PVAR_NO_WRITE);
  assert(MPI_T_pvar_readreset(session, handle, &value) == MPI_T_ERR_PVAR_NO_ATOMIC);
  MPI_T_pvar_handle_free(session, &handle);
  MPI_T_pvar_session_free(&session);
  assert(session == MPI_T_PVAR_SESSION_NULL && handle == MPI_T_PVAR_HANDLE_NULL);
}

static void nothing(void) {
  int number;
  MPI_T_cvar_get_num(&number);
  assert(number == 0 && MPI_T_cvar_get_info(0, 0, 0, 0, 0, 0, 0, 0, 0, 0) == MPI_T_ERR_INVALID_INDEX);
  assert(MPI_T_cvar_get_index("x", &number) == MPI_T_ERR_INVALID_NAME);
  MPI_T_event_get_num(&number);
  assert(number == 0 && MPI_T_event_get_index("x", &number) == MPI_T_ERR_INVALID_NAME);
  MPI_T_source_get_num(&number);
  assert(number == 0 && MPI_T_source_get_timestamp(0, 0) == MPI_T_ERR_INVALID_INDEX);
  assert(MPI_T_enum_get_info(MPI_T_ENUM_NULL, &number, 0, 0) == MPI_T_ERR_INVALID_HANDLE);
}

int main(int argc, char** argv) {
  int provided;
  assert(MPI_T_category_changed(&provided) == MPI_T_ERR_NOT_INITIALIZED);
  MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);  // before MPI_Init
  assert(provided == MPI_THREAD_SINGLE);
  MPI_Init(&argc, &argv);
  categories();
  counters();
  nothing();
  MPI_Finalize();
  MPI_T_finalize();
  return 0;
}
