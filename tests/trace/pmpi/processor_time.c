// SPDX-License-Identifier: MIT
//
// Each rank uses the processor for 40 ms, in steps of different lengths, and sleeps for 100 ms. Only the first must be
// in a recording, on however few cores the ranks run.
#include <mpi.h>
#include <time.h>
#include <unistd.h>

static double used(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void use(double seconds) {
  const double start = used();
  while (used() - start < seconds) {
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  use(0.02);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < 10; ++i) {
    use(0.001);
    usleep(10000);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  for (int i = 0; i < 100; ++i) {
    use(0.0001);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
