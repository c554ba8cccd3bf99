// SPDX-License-Identifier: MIT
//
// The message that an inlined function sends is received.
// check: none
// compile: -O2
#include <mpi.h>

namespace {

class Neighbour {
 public:
  explicit Neighbour(int rank) : rank_(rank) {}
  void tell(int value) const { MPI_Send(&value, 1, MPI_INT, rank_, 4, MPI_COMM_WORLD); }

 private:
  int rank_;
};

}  // namespace

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) Neighbour(1).tell(7);
  int value;
  if (rank == 1) MPI_Recv(&value, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
}
