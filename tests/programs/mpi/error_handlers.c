// SPDX-License-Identifier: MIT
//
// Errors that return, errors that call a function of the program.
// ranks: 1
#include <assert.h>
#include <mpi.h>

static int calls;

static void count_call(MPI_Comm* comm, int* code, ...) {
  assert(*comm == MPI_COMM_WORLD && *code == MPI_ERR_TAG);
  ++calls;
}

int main(int argc, char** argv) {
  int value = 0, length, class;
  char text[MPI_MAX_ERROR_STRING];
  MPI_Errhandler handler;
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  assert(MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD) == MPI_ERR_RANK);
  assert(MPI_Send(&value, -1, MPI_INT, 0, 0, MPI_COMM_WORLD) == MPI_ERR_COUNT);
  MPI_Error_class(MPI_ERR_RANK, &class);
  MPI_Error_string(class, text, &length);
  assert(class == MPI_ERR_RANK && length > 0);
  MPI_Comm_create_errhandler(count_call, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  assert(MPI_Send(&value, 1, MPI_INT, 0, -1, MPI_COMM_WORLD) == MPI_ERR_TAG && calls == 1);
  MPI_Errhandler_free(&handler);
  MPI_Finalize();
  return 0;
}
