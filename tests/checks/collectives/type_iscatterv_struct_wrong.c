// SPDX-License-Identifier: MIT
//
// Rank 1 takes pairs of another order than the root gives, with a nonblocking call.
// check: collective.signature
// warns: buffer.type
// says: rank 0 sends 8 bytes (first MPI_INT)
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  struct {
    int count;
    float share;
  } mine, all[2] = {{1, 2}, {3, 4}};
  MPI_Datatype pair, fields[2] = {MPI_INT, MPI_FLOAT}, other[2] = {MPI_FLOAT, MPI_INT};
  int ones[2] = {1, 1}, counts[2] = {1, 1}, places[2] = {0, 1};
  MPI_Aint offsets[2] = {0, 4};
  MPI_Request request;
  MPI_Type_create_struct(2, ones, offsets, rank == 0 ? fields : other, &pair);
  MPI_Type_commit(&pair);
  MPI_Iscatterv(all, counts, places, pair, &mine, 1, pair, 0, MPI_COMM_WORLD, &request);  // <- here
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Type_free(&pair);
  MPI_Finalize();
  return 0;
}
