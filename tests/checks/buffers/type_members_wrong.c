// SPDX-License-Identifier: MIT
//
// The members of a structure are named in the wrong order when its datatype is made.
// check: none
// warns: buffer.type
// says: buffer is passed as MPI_LONG, but the variable all (struct particle[3]) has double there (member id)
#include <mpi.h>
#include <stddef.h>

struct particle {
  double id;
  long position[2];
};

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int lengths[2] = {1, 2};
  const MPI_Aint places[2] = {offsetof(struct particle, id), offsetof(struct particle, position)};
  const MPI_Datatype types[2] = {MPI_LONG, MPI_DOUBLE};
  MPI_Datatype particle;
  MPI_Type_create_struct(2, lengths, places, types, &particle);
  MPI_Type_commit(&particle);
  struct particle all[3] = {{rank, {1, 2}}, {rank, {3, 4}}, {rank, {5, 6}}};
  MPI_Bcast(all, 3, particle, 0, MPI_COMM_WORLD);  // <- here
  MPI_Type_free(&particle);
  MPI_Finalize();
  return 0;
}
