// SPDX-License-Identifier: MIT
//
// A rank sees one processor, whatever the machine has.
// ranks: 2
// executions: 1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <sys/sysinfo.h>
#include <unistd.h>

int main(int argc, char** argv) {
  cpu_set_t set;
  unsigned processor = 9, node = 9;
  MPI_Init(&argc, &argv);
  assert(sysconf(_SC_NPROCESSORS_ONLN) == 1 && sysconf(_SC_NPROCESSORS_CONF) == 1 && sysconf(_SC_PAGESIZE) > 0);
  assert(get_nprocs() == 1 && get_nprocs_conf() == 1 && sched_getcpu() == 0);
  assert(getcpu(&processor, &node) == 0 && processor == 0 && node == 0);
  assert(sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) == 1 && CPU_ISSET(0, &set));
  assert(sched_setaffinity(0, sizeof set, &set) == 0);
  assert(pthread_getaffinity_np(pthread_self(), sizeof set, &set) == 0 && CPU_COUNT(&set) == 1);
  CPU_ZERO(&set);
  CPU_SET(1, &set);
  assert(sched_setaffinity(0, sizeof set, &set) == -1 && errno == EINVAL);
  assert(pthread_setaffinity_np(pthread_self(), sizeof set, &set) == EINVAL);
  MPI_Finalize();
  return 0;
}
