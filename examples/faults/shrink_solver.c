// SPDX-License-Identifier: MIT
//
// An iterative solver that survives failures: when a rank has failed, the others revoke the communicator, shrink it,
// agree on the last iteration that everyone has finished, share the work anew, and continue.
//
// Usage: shrink_solver [ITERATIONS]
#include <mpi-ext.h>
#include <stdio.h>
#include <stdlib.h>

enum { cells = 12 };

// The part of one rank of the sum of all cells, each of which grows by one in each iteration.
static int part(int rank, int size, int iteration) {
  int sum = 0;
  for (int cell = rank; cell < cells; cell += size) sum += cell + iteration;
  return sum;
}

static MPI_Comm repaired(MPI_Comm comm) {
  MPI_Comm shrunk;
  MPIX_Comm_revoke(comm);  // whoever still waits in it gets MPIX_ERR_REVOKED
  MPIX_Comm_shrink(comm, &shrunk);
  if (comm != MPI_COMM_WORLD) MPI_Comm_free(&comm);
  return shrunk;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int iterations = argc > 1 ? atoi(argv[1]) : 2;
  MPI_Comm comm = MPI_COMM_WORLD;
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  int iteration = 0;
  while (iteration < iterations) {
    int rank, size, sum = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    const int mine = part(rank, size, iteration);
    const int failed = MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm) != MPI_SUCCESS;
    // One rank may have the sum while another has an error: all must take the same branch.
    int all_have_it = !failed;
    const int agreed = MPIX_Comm_agree(comm, &all_have_it);
    if (agreed != MPI_SUCCESS || !all_have_it) {
      comm = repaired(comm);
      continue;
    }
    if (sum != cells * (cells - 1) / 2 + cells * iteration) MPI_Abort(MPI_COMM_WORLD, 1);
    ++iteration;
  }
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  if (rank == 0) printf("%d iterations, %d ranks at the end\n", iteration, size);
  if (comm != MPI_COMM_WORLD) MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
