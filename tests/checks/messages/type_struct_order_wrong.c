// SPDX-License-Identifier: MIT
//
// Both sides describe the same struct, one with its members the other way round.
// check: message.type
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  struct { int a; double b; } mine = {1, 2}, theirs;
  MPI_Aint places[2] = {(char*)&mine.a - (char*)&mine, (char*)&mine.b - (char*)&mine};
  MPI_Aint turned_places[2] = {(char*)&mine.b - (char*)&mine, (char*)&mine.a - (char*)&mine};
  int blocks[2] = {1, 1};
  MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE}, turned_types[2] = {MPI_DOUBLE, MPI_INT}, pair, turned;
  MPI_Type_create_struct(2, blocks, places, types, &pair);
  MPI_Type_create_struct(2, blocks, turned_places, turned_types, &turned);
  MPI_Type_commit(&pair);
  MPI_Type_commit(&turned);
  if (rank == 0) MPI_Send(&mine, 1, pair, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(&theirs, 1, turned, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // <- here
  MPI_Type_free(&pair);
  MPI_Type_free(&turned);
  MPI_Finalize();
  return 0;
}
