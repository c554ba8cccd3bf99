// SPDX-License-Identifier: MIT
//
// Writes to every kind of private state, giving way in between so that all ranks are in the middle at once.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int initialised = 7;
static int zero;
int* pointer = &initialised;
static __thread int per_thread = 5;
static __thread char per_thread_zero[100];
char big[1 << 20];

int counter(void) {
  static int count = 0;
  return ++count;
}

int main(int argc, char** argv) {
  const int rank = (int)getpid() % 1000;
  for (int round = 0; round < 3; ++round) {
    initialised += rank;
    zero += rank;
    *pointer += 1;
    per_thread += rank;
    per_thread_zero[50] += (char)rank;
    big[500000] += (char)rank;
    errno = rank + 1;
    counter();
    usleep(1);
    if (errno != rank + 1) printf("errno %d ", errno);
  }
  char* block = malloc(100);
  memset(block, rank, 100);
  usleep(1);
  printf("%d %s: %d %d %d %d %d %d %d", argc, argv[1], initialised - 3 * rank, zero - 3 * rank, per_thread - 3 * rank,
         per_thread_zero[50] - 3 * rank, big[500000] - 3 * rank, counter(), block[99] - rank);
  free(block);
  return rank;
}
