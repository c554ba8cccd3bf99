// SPDX-License-Identifier: MIT
//
// Attributes under their deprecated names; a duplicate in the background that takes hints.
// ranks: 2
// executions: 1
#include <assert.h>
#include <mpi.h>
#include <string.h>

static int copied, deleted;
static int copy(MPI_Comm comm, int key, void* extra, void* in, void* out, int* flag) {
  (void)comm, (void)key;
  ++*(int*)extra;
  *(void**)out = in;
  *flag = 1;
  return MPI_SUCCESS;
}
static int drop(MPI_Comm comm, int key, void* value, void* extra) {
  (void)comm, (void)key, (void)value, (void)extra;
  ++deleted;
  return MPI_SUCCESS;
}

int main(int argc, char** argv) {
  char text[8];
  int key, flag, length = sizeof text, *value;
  MPI_Comm comm, other;
  MPI_Info info, got;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Attr_get(MPI_COMM_WORLD, MPI_TAG_UB, &value, &flag);
  assert(flag && *value >= 32767);
  MPI_Keyval_create(copy, drop, &key, &copied);
  MPI_Attr_put(MPI_COMM_WORLD, key, &key);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Attr_get(comm, key, &value, &flag);
  assert(flag && value == &key && copied == 1);
  MPI_Attr_delete(comm, key);
  MPI_Attr_get(comm, key, &value, &flag);
  assert(!flag && deleted == 1);
  MPI_Attr_delete(MPI_COMM_WORLD, key);
  MPI_Keyval_free(&key);
  assert(key == MPI_KEYVAL_INVALID && deleted == 2);
  MPI_Info_create(&info);
  MPI_Info_set(info, "hint", "mine");
  MPI_Comm_idup_with_info(comm, info, &other, &request);
  MPI_Info_free(&info);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_get_info(other, &got);
  MPI_Info_get_string(got, "hint", &length, text, &flag);
  assert(flag && strcmp(text, "mine") == 0);
  MPI_Info_free(&got);
  MPI_Get_hw_resource_info(&got);
  MPI_Info_free(&got);
  MPI_Comm_free(&other);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
