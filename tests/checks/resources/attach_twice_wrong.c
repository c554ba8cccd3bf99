// SPDX-License-Identifier: MIT
//
// A second buffer is attached while the first one is.
// check: buffer.attached
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  static char rooms[2][1000];
  void* room;
  int length;
  MPI_Buffer_attach(rooms[0], 1000);
  MPI_Buffer_attach(rooms[1], 1000);  // <- here
  MPI_Buffer_detach(&room, &length);
  MPI_Finalize();
  return 0;
}
