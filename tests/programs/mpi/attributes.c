// SPDX-License-Identifier: MIT
//
// Attributes with callbacks, which are called in the rank that set them.
#include <assert.h>
#include <mpi.h>

static int copied, deleted;

static int copy(MPI_Comm comm, int key, void* extra, void* in, void* out, int* flag) {
  (void)comm, (void)key, (void)extra;
  ++copied;
  *(void**)out = in;
  *flag = 1;
  return MPI_SUCCESS;
}

static int forget(MPI_Comm comm, int key, void* value, void* extra) {
  (void)comm, (void)key, (void)value, (void)extra;
  ++deleted;
  return MPI_SUCCESS;
}

int main(int argc, char** argv) {
  int key, flag, here = 0, *got, *upper_bound;
  MPI_Comm other;
  MPI_Init(&argc, &argv);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &upper_bound, &flag);
  assert(flag && *upper_bound >= 32767);
  MPI_Comm_create_keyval(copy, forget, &key, 0);
  MPI_Comm_set_attr(MPI_COMM_WORLD, key, &here);
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  MPI_Comm_get_attr(other, key, &got, &flag);
  assert(flag && got == &here && copied == 1);
  MPI_Comm_free(&other);
  assert(deleted == 1);
  MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
  MPI_Comm_free_keyval(&key);
  assert(deleted == 2);
  MPI_Finalize();
  return 0;
}
