// SPDX-License-Identifier: MIT
//
// Objects that are not freed: warnings, no errors.
// also: resource.communicator resource.datatype resource.group resource.operator
#include <mpi.h>

static void add(void* in, void* inout, int* count, MPI_Datatype* type) {
  (void)in, (void)inout, (void)count, (void)type;
}

int main(int argc, char** argv) {
  MPI_Comm comm;
  MPI_Datatype type;
  MPI_Group group;
  MPI_Op op;
  MPI_Init(&argc, &argv);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Type_contiguous(3, MPI_INT, &type);
  MPI_Comm_group(MPI_COMM_WORLD, &group);
  MPI_Op_create(add, 1, &op);
  MPI_Finalize();
  return 0;
}
