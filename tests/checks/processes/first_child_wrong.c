// SPDX-License-Identifier: MIT
//
// A parent takes the first number that comes for that of its first child.
// check: assertion.failed
// ranks: 1
#include <mpi.h>

#include <assert.h>

int main(int argc, char** argv) {
  MPI_Comm parent, children;
  int number = 7;
  MPI_Init(&argc, &argv);
  MPI_Comm_get_parent(&parent);
  if (parent == MPI_COMM_NULL) {
    MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
    MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, 0, children, MPI_STATUS_IGNORE);
    assert(number == 0);  // <- here
    MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, 0, children, MPI_STATUS_IGNORE);
    MPI_Comm_free(&children);
  } else {
    MPI_Comm_rank(MPI_COMM_WORLD, &number);
    MPI_Send(&number, 1, MPI_INT, 0, 0, parent);
    MPI_Comm_free(&parent);
  }
  MPI_Finalize();
  return 0;
}
