// SPDX-License-Identifier: MIT
//
// Splits by what ranks share: those with one processor name share a node, and nothing is known within a node.
// ranks: 3
// executions: 1
#include <assert.h>
#include <mpi.h>
#include <string.h>

static int size_of(MPI_Comm parent, int type, const char* key, const char* value) {
  int size = 0;
  MPI_Info info = MPI_INFO_NULL;
  MPI_Comm part;
  if (key) {
    MPI_Info_create(&info);
    MPI_Info_set(info, key, value);
  }
  MPI_Comm_split_type(parent, type, 0, info, &part);
  if (part != MPI_COMM_NULL) {
    MPI_Comm_size(part, &size);
    MPI_Comm_free(&part);
  }
  if (key) MPI_Info_free(&info);
  return size;
}

// How many ranks are on the caller's node, of which there are three in a run and one in a check.
static int size_of_node(int size) {
  char mine[MPI_MAX_PROCESSOR_NAME] = "", all[3][MPI_MAX_PROCESSOR_NAME];
  int length, count = 0;
  MPI_Get_processor_name(mine, &length);
  MPI_Allgather(mine, MPI_MAX_PROCESSOR_NAME, MPI_CHAR, all, MPI_MAX_PROCESSOR_NAME, MPI_CHAR, MPI_COMM_WORLD);
  for (int i = 0; i < size; ++i) count += strcmp(all[i], mine) == 0;
  return count;
}

int main(int argc, char** argv) {
  const char *kind = "mpi_hw_resource_type", *set = "mpi_pset_name";
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int node = size_of_node(3);
  assert(node == 1 || node == 3);
  assert(size_of(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, 0) == node);
  const int others = node == 3 ? 2 : 1;
  assert(size_of(MPI_COMM_WORLD, rank ? MPI_COMM_TYPE_SHARED : MPI_UNDEFINED, 0, 0) == (rank ? others : 0));
  assert(size_of(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_UNGUIDED, 0, 0) == (node == 3 ? 0 : 1));
  assert(size_of(MPI_COMM_SELF, MPI_COMM_TYPE_HW_UNGUIDED, 0, 0) == 0);
  assert(size_of(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_GUIDED, kind, "mpi_shared_memory") == node);
  assert(size_of(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_GUIDED, kind, "hwloc://NUMANode") == 0);
  assert(size_of(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_GUIDED, 0, 0) == 0);
  assert(size_of(MPI_COMM_WORLD, MPI_COMM_TYPE_RESOURCE_GUIDED, set, "mpi://WORLD") == 3);
  assert(size_of(MPI_COMM_WORLD, MPI_COMM_TYPE_RESOURCE_GUIDED, set, "mpi://SELF") == 1);
  MPI_Finalize();
  return 0;
}
