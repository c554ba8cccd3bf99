// SPDX-License-Identifier: MIT
//
// Both sides agree on how many elements each member of a struct has.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  struct { int a[4]; double b[2]; } data = {{1, 2, 3, 4}, {5, 6}};
  MPI_Aint places[2] = {0, (char*)&data.b - (char*)&data};
  int blocks[2] = {4, 2}, fewer[2] = {4, 2};
  MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE}, whole, part;
  MPI_Type_create_struct(2, blocks, places, types, &whole);
  MPI_Type_create_struct(2, fewer, places, types, &part);
  MPI_Type_commit(&whole);
  MPI_Type_commit(&part);
  if (rank == 0) MPI_Send(&data, 1, part, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(&data, 1, whole, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Type_free(&whole);
  MPI_Type_free(&part);
  MPI_Finalize();
  return 0;
}
