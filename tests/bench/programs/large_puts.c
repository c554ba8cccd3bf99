// SPDX-License-Identifier: MIT
//
// Rank 0 puts blocks into the window of rank 1. The arguments are the kind of epochs (fence, lock, post), how many
// puts, the bytes of a block, how many blocks the puts take in turn, and `empty` for epochs without puts. Two kinds
// have no epochs: copy only copies each block in the memory of rank 0, and switch also makes the system calls of one
// switch from a rank to the engine and back on a processor without FSGSBASE instructions.
#include <asm/prctl.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static void switch_and_back(void) {
  unsigned long thread_pointer;
  __asm__ volatile("movq %%fs:0, %0" : "=r"(thread_pointer));
  syscall(SYS_arch_prctl, ARCH_SET_FS, thread_pointer);
  syscall(SYS_arch_prctl, ARCH_SET_FS, thread_pointer);
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const char *kind = argc > 1 ? argv[1] : "fence";
  const int blocks = argc > 2 ? atoi(argv[2]) : 1, bytes = argc > 3 ? atoi(argv[3]) : 1 << 20;
  const int in_turn = argc > 4 ? atoi(argv[4]) : 1;
  const size_t all_bytes = (size_t)bytes * in_turn;
  const int other = 1 - rank, puts = rank == 0 && argc < 6;
  const int only_copies = strcmp(kind, "copy") == 0 || strcmp(kind, "switch") == 0;
  char *from = malloc(all_bytes), *memory = malloc(all_bytes);
  memset(from, 1, all_bytes);
  memset(memory, 0, all_bytes);
  MPI_Group all, partner;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 1, &other, &partner);
  MPI_Win win;
  MPI_Win_create(memory, all_bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  if (strcmp(kind, "fence") == 0) {
    MPI_Win_fence(0, win);
    for (int i = 0; i < blocks; ++i) {
      const size_t block = (size_t)bytes * (i % in_turn);
      from[block + i % bytes] = (char)i;
      if (puts) MPI_Put(from + block, bytes, MPI_CHAR, 1, block, bytes, MPI_CHAR, win);
      MPI_Win_fence(0, win);
    }
  } else if (strcmp(kind, "lock") == 0 && rank == 0) {
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
    for (int i = 0; i < blocks; ++i) {
      const size_t block = (size_t)bytes * (i % in_turn);
      from[block + i % bytes] = (char)i;
      if (puts) MPI_Put(from + block, bytes, MPI_CHAR, 1, block, bytes, MPI_CHAR, win);
      MPI_Win_flush(1, win);
    }
    MPI_Win_unlock(1, win);
  } else if (strcmp(kind, "post") == 0) {
    for (int i = 0; i < blocks; ++i) {
      const size_t block = (size_t)bytes * (i % in_turn);
      from[block + i % bytes] = (char)i;
      if (rank == 1) MPI_Win_post(partner, 0, win);
      MPI_Barrier(MPI_COMM_WORLD);
      if (rank == 0) {
        MPI_Win_start(partner, 0, win);
        if (puts) MPI_Put(from + block, bytes, MPI_CHAR, 1, block, bytes, MPI_CHAR, win);
        MPI_Win_complete(win);
      } else {
        MPI_Win_wait(win);
      }
    }
  } else if (only_copies && rank == 0) {
    for (int i = 0; i < blocks; ++i) {
      const size_t block = (size_t)bytes * (i % in_turn);
      from[block + i % bytes] = (char)i;
      memcpy(memory + block, from + block, bytes);
      __asm__ volatile("" : : "r"(memory) : "memory");
      if (strcmp(kind, "switch") == 0) switch_and_back();
    }
  }
  MPI_Win_free(&win);
  const int has_data = rank == 1 && argc < 6 && blocks > 0 && !only_copies, last = blocks - 1;
  if (has_data && memory[(size_t)bytes * (last % in_turn) + last % bytes] != (char)last) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Group_free(&partner);
  MPI_Group_free(&all);
  free(from);
  free(memory);
  MPI_Finalize();
  return 0;
}
