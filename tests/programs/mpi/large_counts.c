// SPDX-License-Identifier: MIT
//
// Collectives with counts and displacements of the large width.
// ranks: 3
// executions: 1
#include <assert.h>
#include <mpi.h>

int main(int argc, char** argv) {
  const MPI_Count counts[3] = {1, 2, 0};
  const MPI_Aint places[3] = {2, 0, 0};
  int rank, got[3] = {-1, -1, -1}, give[2], total[3] = {1, 2, 3}, out[2];
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  give[0] = 10 * rank;
  give[1] = 10 * rank + 1;
  MPI_Allgatherv_c(give, counts[rank], MPI_INT, got, counts, places, MPI_INT, MPI_COMM_WORLD);
  assert(got[0] == 10 && got[1] == 11 && got[2] == 0);
  MPI_Ireduce_scatter_c(total, out, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (rank == 0) assert(out[0] == 3);
  if (rank == 1) assert(out[0] == 6 && out[1] == 9);
  MPI_Gatherv_init_c(give, counts[rank], MPI_INT, got, counts, places, MPI_INT, 2, MPI_COMM_WORLD, MPI_INFO_NULL,
                     &request);
  got[0] = got[1] = got[2] = -1;
  MPI_Start(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  assert(got[1] == (rank == 2 ? 11 : -1));
  MPI_Request_free(&request);
  MPI_Finalize();
  return 0;
}
