// SPDX-License-Identifier: MIT
//
// Hints: a duplicate inherits none; alignment of memory; the level of threads of a session.
// ranks: 2
// executions: 1
#include <assert.h>
#include <mpi.h>
#include <stdint.h>
#include <string.h>

static MPI_Info info_with(const char* key, const char* value) {
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, key, value);
  return info;
}

static void duplicates(void) {
  MPI_Comm comm, copy;
  MPI_Info info = info_with("mine", "1"), got;
  int keys;
  MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &comm);
  MPI_Info_free(&info);
  MPI_Comm_get_info(comm, &got);
  MPI_Info_get_nkeys(got, &keys);
  assert(keys == 1);
  MPI_Info_free(&got);
  MPI_Comm_dup(comm, &copy);
  MPI_Comm_get_info(copy, &got);
  MPI_Info_get_nkeys(got, &keys);
  assert(keys == 0);
  MPI_Info_free(&got);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&comm);
}

static void memory(void) {
  MPI_Info info = info_with("mpi_minimum_memory_alignment", "4096");
  MPI_Info wrong = info_with("mpi_minimum_memory_alignment", "5");
  char* block;
  MPI_Alloc_mem(10, info, &block);
  assert((uintptr_t)block % 4096 == 0);
  MPI_Free_mem(block);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  assert(MPI_Alloc_mem(10, wrong, &block) == MPI_ERR_INFO_VALUE);
  MPI_Info_free(&info);
  MPI_Info_free(&wrong);
}

// `given` null: the highest level of the driver.
static void level(const char* wanted, const char* given) {
  char value[64];
  int length = sizeof value, flag;
  MPI_Info info = wanted ? info_with("thread_level", wanted) : MPI_INFO_NULL, got;
  MPI_Session session;
  MPI_Session_init(info, MPI_ERRORS_RETURN, &session);
  MPI_Session_get_info(session, &got);
  MPI_Info_get_string(got, "thread_level", &length, value, &flag);
  assert(flag);
  if (given) assert(strcmp(value, given) == 0);
  else assert(strcmp(value, "MPI_THREAD_MULTIPLE") == 0 || strcmp(value, "MPI_THREAD_SERIALIZED") == 0);
  MPI_Info_free(&got);
  if (wanted) MPI_Info_free(&info);
  MPI_Session_finalize(&session);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  duplicates();
  memory();
  level(0, "MPI_THREAD_SINGLE");
  level("MPI_THREAD_FUNNELED", "MPI_THREAD_FUNNELED");
  level("MPI_THREAD_MULTIPLE", NULL);
  MPI_Finalize();
  return 0;
}
