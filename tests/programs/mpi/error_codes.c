// SPDX-License-Identifier: MIT
//
// Classes, codes and texts of errors that the program adds and removes; handlers that are called with them.
// ranks: 1
#include <assert.h>
#include <mpi.h>
#include <string.h>

static int seen, count;
static void note(MPI_Comm* comm, int* code, ...) {
  (void)comm;
  seen = *code;
  ++count;
}
static void note_session(MPI_Session* session, int* code, ...) {
  (void)session;
  seen = *code;
  ++count;
}

static int last_used(void) {
  int *value, flag;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &value, &flag);
  assert(flag);
  return *value;
}

static void codes(void) {
  char text[MPI_MAX_ERROR_STRING];
  int own, first, second, length, class;
  const int before = last_used();
  MPI_Add_error_class(&own);
  MPI_Add_error_code(own, &first);
  MPI_Add_error_code(MPI_ERR_ARG, &second);
  assert(own > MPI_ERR_LASTCODE && first != own && last_used() > before);
  MPI_Error_class(first, &class);
  assert(class == own);
  MPI_Error_class(second, &class);
  assert(class == MPI_ERR_ARG);
  MPI_Error_string(first, text, &length);
  assert(length == 0 && text[0] == 0);
  MPI_Add_error_string(own, "a class of mine");
  MPI_Add_error_string(first, "one of mine");
  MPI_Error_string(own, text, &length);
  assert(strcmp(text, "a class of mine") == 0 && length == (int)strlen(text));
  MPI_Error_string(first, text, &length);
  assert(strcmp(text, "one of mine") == 0);
  MPI_Remove_error_string(first);
  MPI_Error_string(first, text, &length);
  assert(length == 0);
  assert(MPI_Remove_error_class(own) != MPI_SUCCESS);  // it has a code
  assert(MPI_Remove_error_code(first) == MPI_SUCCESS && MPI_Remove_error_code(second) == MPI_SUCCESS);
  assert(MPI_Remove_error_string(own) == MPI_SUCCESS);
  assert(MPI_Remove_error_class(own) == MPI_SUCCESS);
  assert(MPI_Remove_error_class(MPI_ERR_ARG) != MPI_SUCCESS);
  assert(MPI_Add_error_string(MPI_ERR_ARG, "x") != MPI_SUCCESS);
}

static void handlers(void) {
  MPI_Errhandler handler, got;
  MPI_Session session;
  int own;
  MPI_Add_error_class(&own);
  MPI_Comm_create_errhandler(note, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  MPI_Errhandler_free(&handler);
  assert(handler == MPI_ERRHANDLER_NULL && MPI_Comm_call_errhandler(MPI_COMM_WORLD, own) == MPI_SUCCESS);
  assert(seen == own && count == 1);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Session_create_errhandler(note_session, &handler);
  MPI_Session_init(MPI_INFO_NULL, handler, &session);
  MPI_Session_call_errhandler(session, MPI_ERR_OTHER);
  assert(seen == MPI_ERR_OTHER && count == 2);
  MPI_Session_get_errhandler(session, &got);
  assert(got == handler);
  MPI_Errhandler_free(&got);
  MPI_Session_set_errhandler(session, MPI_ERRORS_RETURN);
  MPI_Session_call_errhandler(session, own);
  assert(count == 2 && MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler) == MPI_ERR_ERRHANDLER);
  MPI_Errhandler_free(&handler);
  MPI_Session_finalize(&session);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  codes();
  handlers();
  MPI_Finalize();
  return 0;
}
