// SPDX-License-Identifier: MIT
//
// What the linker can ask of a loader: indirect functions, tables of addresses, thread-local models, alignment, packed
// relative relocations, weak references.
#include <stdio.h>
#include <unistd.h>

extern __thread int initial_exec;
int next_initial_exec(void);
double* general_dynamic(void);
int nobody(void) __attribute__((weak));

static int one(int x) { return x + 1; }
static int two(int x) { return x + 2; }
static int (*pick(void))(int) { return two; }
int chosen(int) __attribute__((ifunc("pick")));
int (*table[3])(int) = {chosen, one, two};

__thread int aligned __attribute__((aligned(64))) = 9;
struct {
  char byte;
  long word;
} page __attribute__((aligned(4096))) = {1, 2};

int main(void) {
  general_dynamic()[3] = 1.5;
  const int first = next_initial_exec();
  usleep(1);
  const int second = next_initial_exec();
  printf("%d %d %d %d %d %d %.1f %d %d %d", chosen(1), table[0](1), table[1](1), first, second,
         initial_exec, general_dynamic()[3], (int)((long)&aligned % 64) + aligned, (int)((long)&page % 4096),
         nobody == NULL);
  return 0;
}
