// SPDX-License-Identifier: MIT
//
// The compiler inlines the function that sends; the finding still names its line.
// check: message.lost deadlock.orphan
// compile: -O2
#include <mpi.h>

namespace {

class Neighbour {
 public:
  explicit Neighbour(int rank) : rank_(rank) {}
  void tell(int value) const {
    MPI_Send(&value, 1, MPI_INT, rank_, 4, MPI_COMM_WORLD);  // <- here
  }

 private:
  int rank_;
};

}  // namespace

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) Neighbour(1).tell(7);
  MPI_Finalize();
}
