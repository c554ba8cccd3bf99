// SPDX-License-Identifier: MIT
//
// What is known of memory: blocks of the heap, global and static variables end where they end, to the byte; of the
// stack nothing is known. A buffer that is too small for the call is MPI_ERR_BUFFER, one that fits is not.
// ranks: 1
// check: verified
#include <assert.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static char local_data[40] = {1};
char common_room[24];
double numbers[3] = {1, 2, 3};
_Thread_local char of_thread[16];

static int fits(const void *address, int bytes) {
  MPI_Request request;
  const int code = MPI_Send_init(address, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &request);
  int class = MPI_SUCCESS;
  if (code == MPI_SUCCESS) MPI_Request_free(&request);
  if (code != MPI_SUCCESS) MPI_Error_class(code, &class);
  assert(class == MPI_SUCCESS || class == MPI_ERR_BUFFER);
  return class == MPI_SUCCESS;
}

// All that begins within the memory ends within it, and nothing else does.
static void ends_at(const char *memory, int bytes) {
  for (int begin = 0; begin < bytes; begin += begin < 3 || begin >= bytes - 3 ? 1 : 17) {
    assert(fits(memory + begin, bytes - begin));
    assert(!fits(memory + begin, bytes - begin + 1));
    assert(!fits(memory + begin, bytes + 1000));
  }
}

static void heap(void) {
  static const int sizes[] = {1, 15, 16, 17, 100, 1000, 4096, 100000, 1 << 20};
  char *blocks[9];
  for (int i = 0; i < 9; ++i) blocks[i] = malloc(sizes[i]);
  for (int i = 0; i < 9; ++i) ends_at(blocks[i], sizes[i]);
  blocks[4] = realloc(blocks[4], 5000);
  ends_at(blocks[4], 5000);
  char *aligned = NULL;
  assert(posix_memalign((void **)&aligned, 256, 300) == 0);
  ends_at(aligned, 300);
  char *zero = calloc(30, 10);
  ends_at(zero, 300);
  free(blocks[5]);
  assert(!fits(blocks[5], 1));      // freed
  blocks[5] = malloc(990);          // the same place again, and shorter
  ends_at(blocks[5], 990);
  assert(!fits(blocks[7] + sizes[7], 1));  // between two blocks
  assert(!fits(blocks[8] + (1 << 30), 1)); // where nothing was ever allocated
  for (int i = 0; i < 2000; ++i) {  // many blocks: some are found by notes about others
    char *one = malloc(24 + i % 7);
    if (i % 400 == 0) ends_at(one, 24 + i % 7);
    if (i % 3 == 0) free(one);
  }
  for (int i = 0; i < 9; ++i) free(blocks[i]);
  free(aligned);
  free(zero);
}

static void variables(void) {
  static char inner[8] = {2};
  ends_at(local_data, sizeof local_data);
  ends_at(common_room, sizeof common_room);
  ends_at((char *)numbers, sizeof numbers);
  ends_at(inner, sizeof inner);
}

// Nothing false is said of what nobody knows.
static void unknown(void) {
  char room[64];
  memset(room, 0, sizeof room);
  assert(fits(room, sizeof room));
  assert(fits(of_thread, sizeof of_thread));
  assert(fits("some text", 10));
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  heap();
  variables();
  unknown();
  MPI_Finalize();
  return 0;
}
