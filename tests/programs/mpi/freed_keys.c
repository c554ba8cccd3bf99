// SPDX-License-Identifier: MIT
//
// A freed key lives while an attribute uses it: the attribute can be read and deleted, but not set.
// ranks: 1
#include <assert.h>
#include <mpi.h>

static int deleted;
static int count(MPI_Comm comm, int key, void* value, void* extra) {
  (void)comm, (void)key, (void)value;
  ++*(int*)extra;
  return MPI_SUCCESS;
}
static int count_type(MPI_Datatype type, int key, void* value, void* extra) {
  (void)type, (void)key, (void)value;
  ++*(int*)extra;
  return MPI_SUCCESS;
}

int main(int argc, char** argv) {
  int key, copy, flag, *value;
  MPI_Comm comm;
  MPI_Datatype type;
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, count, &key, &deleted);
  MPI_Comm_set_attr(comm, key, &key);
  copy = key;
  MPI_Comm_free_keyval(&copy);
  assert(copy == MPI_KEYVAL_INVALID);
  assert(MPI_Comm_set_attr(comm, key, &copy) == MPI_ERR_KEYVAL);
  assert(MPI_Comm_get_attr(comm, key, &value, &flag) == MPI_SUCCESS && flag && value == &key);
  copy = key;
  assert(MPI_Comm_free_keyval(&copy) == MPI_SUCCESS);
  assert(MPI_Comm_delete_attr(comm, key) == MPI_SUCCESS && deleted == 1);
  copy = key;
  assert(MPI_Comm_free_keyval(&copy) == MPI_ERR_KEYVAL);
  MPI_Comm_free(&comm);

  MPI_Type_dup(MPI_INT, &type);
  MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, count_type, &key, &deleted);
  MPI_Type_set_attr(type, key, &key);
  copy = key;
  MPI_Type_free_keyval(&copy);
  assert(MPI_Type_get_attr(type, key, &value, &flag) == MPI_SUCCESS && flag);
  assert(MPI_Type_set_attr(type, key, &copy) == MPI_ERR_KEYVAL);
  MPI_Type_free(&type);
  assert(deleted == 2);
  MPI_Finalize();
  return 0;
}
