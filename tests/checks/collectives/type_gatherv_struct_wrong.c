// SPDX-License-Identifier: MIT
//
// The root gathers pairs of another order than rank 1 gives, with varying counts.
// check: collective.signature
// warns: buffer.type
// says: rank 1 sends 8 bytes (first MPI_FLOAT)
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  struct {
    int count;
    float share;
  } mine = {1, 2}, all[2];
  MPI_Datatype pair, fields[2] = {MPI_INT, MPI_FLOAT}, other[2] = {MPI_FLOAT, MPI_INT};
  int ones[2] = {1, 1}, counts[2] = {1, 1}, places[2] = {0, 1};
  MPI_Aint offsets[2] = {0, 4};
  MPI_Type_create_struct(2, ones, offsets, rank == 0 ? fields : other, &pair);
  MPI_Type_commit(&pair);
  MPI_Gatherv(&mine, 1, pair, all, counts, places, pair, 0, MPI_COMM_WORLD);  // <- here
  MPI_Type_free(&pair);
  MPI_Finalize();
  return 0;
}
