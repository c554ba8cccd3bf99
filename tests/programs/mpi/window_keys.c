// SPDX-License-Identifier: MIT
//
// Keys and error handlers for windows can be made without a window, and are not for communicators.
// ranks: 1
#include <assert.h>
#include <mpi.h>

static void note(MPI_Win* win, int* code, ...) {
  (void)win, (void)code;
}

int main(int argc, char** argv) {
  int key, flag;
  void* value;
  MPI_Errhandler handler;
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &key, 0);
  assert(key != MPI_KEYVAL_INVALID);
  assert(MPI_Comm_get_attr(MPI_COMM_WORLD, key, &value, &flag) == MPI_ERR_KEYVAL);
  MPI_Win_free_keyval(&key);
  assert(key == MPI_KEYVAL_INVALID && MPI_Win_free_keyval(&key) == MPI_ERR_KEYVAL);
  MPI_Win_create_errhandler(note, &handler);
  assert(MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler) == MPI_ERR_ERRHANDLER);
  MPI_Errhandler_free(&handler);
  MPI_Finalize();
  return 0;
}
