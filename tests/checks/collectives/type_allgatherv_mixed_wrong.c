// SPDX-License-Identifier: MIT
//
// Rank 1 gives a whole and a floating-point number, where all take whole ones.
// check: collective.signature
// warns: buffer.type
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int mine[2] = {1, 2}, all[4], counts[2] = {2, 2}, places[2] = {0, 2};
  MPI_Datatype block, mixed;
  int ones[2] = {1, 1};
  MPI_Aint offsets[2] = {0, 4};
  MPI_Datatype fields[2] = {MPI_INT, MPI_FLOAT};
  MPI_Type_create_struct(2, ones, offsets, fields, &mixed);
  MPI_Type_commit(&mixed);
  MPI_Type_contiguous(2, MPI_INT, &block);
  MPI_Type_commit(&block);
  MPI_Allgatherv(mine, 1, rank == 1 ? mixed : block, all, counts, places, MPI_INT, MPI_COMM_WORLD);  // <- here
  MPI_Type_free(&mixed);
  MPI_Type_free(&block);
  MPI_Finalize();
  return 0;
}
