// SPDX-License-Identifier: MIT
//
// Tasks: Fibonacci numbers, dependences, groups, loops of tasks, final and undeferred tasks.
// flags: -fopenmp
#include <assert.h>
#include <mpi.h>
#include <omp.h>
#include <stddef.h>

static int fib(int n) {
  if (n < 2) return n;
  int a, b;
#pragma omp task shared(a)
  a = fib(n - 1);
#pragma omp task shared(b) if (n > 3)
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

static void dependences(void) {
  int a = 0, b = 0, c = 0, log[64], length = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 10; ++i) {
#pragma omp task depend(out : a) shared(a)
      a = i;
#pragma omp task depend(in : a) depend(inout : b) shared(a, b)
      assert(a == i), b += a;
#pragma omp task depend(in : a) depend(inout : c) shared(a, c)
      assert(a == i), c -= a;
    }
#pragma omp task depend(in : b, c) shared(b, c) if (0)
    assert(b == 45 && c == -45);
#pragma omp task depend(out : length) shared(log, length)
    log[length++] = 1;
#pragma omp taskwait depend(in : length)
    assert(length == 1 && log[0] == 1);
  }
}

static void groups(void) {
  int done = 0, used[4] = {0};
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup
    for (int i = 0; i < 20; ++i) {
#pragma omp task shared(done, used)
      {
#pragma omp task shared(done)
#pragma omp atomic
        done++;
        used[omp_get_thread_num()] = 1;
#pragma omp taskyield
      }
    }
    assert(done == 20);
  }
  assert(used[0] + used[1] + used[2] + used[3] == 4);  // they go round
}

int main(void) {
  int provided, result = 0, sum = 0;
  MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
#pragma omp parallel
#pragma omp single
  result = fib(13);
  assert(result == 233);
  dependences();
  groups();
  int hits[50] = {0};
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop grainsize(4)
    for (int i = 0; i < 50; ++i) hits[i]++;
#pragma omp taskloop num_tasks(7)
    for (unsigned long long i = 50; i > 0; --i) hits[i - 1]++;
#pragma omp task final(1) shared(sum)
    {
      assert(omp_in_final());
#pragma omp task shared(sum)
      sum++;
      assert(sum == 1);
    }
  }
  for (int i = 0; i < 50; ++i) assert(hits[i] == 2);
  MPI_Finalize();
  return 0;
}
