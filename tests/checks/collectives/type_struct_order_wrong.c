// SPDX-License-Identifier: MIT
//
// A struct is broadcast, and the others name its members the other way round.
// check: collective.signature
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  struct { int a; double b; } data = {1, 2};
  MPI_Aint places[2] = {(char*)&data.a - (char*)&data, (char*)&data.b - (char*)&data};
  MPI_Aint turned_places[2] = {(char*)&data.b - (char*)&data, (char*)&data.a - (char*)&data};
  int blocks[2] = {1, 1};
  MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE}, turned_types[2] = {MPI_DOUBLE, MPI_INT}, pair, turned;
  MPI_Type_create_struct(2, blocks, places, types, &pair);
  MPI_Type_create_struct(2, blocks, turned_places, turned_types, &turned);
  MPI_Type_commit(&pair);
  MPI_Type_commit(&turned);
  MPI_Bcast(&data, 1, rank == 0 ? pair : turned, 0, MPI_COMM_WORLD);  // <- here
  MPI_Type_free(&pair);
  MPI_Type_free(&turned);
  MPI_Finalize();
  return 0;
}
