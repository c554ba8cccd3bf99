// SPDX-License-Identifier: MIT
//
// The order of what runs at exit, and output without a line end.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void one(void) { printf("1"); }
static void two(void) {
  printf("2");
  atexit(one);
}
static __attribute__((constructor)) void before(void) { printf("("); }
static __attribute__((destructor)) void after(void) { printf(")"); }

int main(int argc, char** argv) {
  atexit(one);
  atexit(two);
  fprintf(stderr, "e");
  printf("m");
  if (argc > 1 && argv[1][0] == 'q') _exit(3);
  if (argc > 1) exit(argv[1][0] - '0');
  return 256 + 4;
}
