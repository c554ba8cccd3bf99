// SPDX-License-Identifier: MIT
//
// All kinds of worksharing loops, sections, single, critical, atomic, ordered, locks and threadprivate variables.
// flags: -fopenmp
#include <assert.h>
#include <mpi.h>
#include <omp.h>
#include <stddef.h>

enum { count = 103 };
static int hits[count];
static int mine;
#pragma omp threadprivate(mine)

static void are_all(int times) {
  for (int i = 0; i < count; ++i) assert(hits[i] == times), hits[i] = 0;
}

static void loops(void) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < count; ++i) hits[i]++;
#pragma omp parallel for schedule(static, 7)
  for (int i = count - 1; i >= 0; --i) hits[i]++;
#pragma omp parallel for schedule(dynamic, 3)
  for (int i = 0; i < count; ++i) hits[i]++;
#pragma omp parallel for schedule(guided)
  for (int i = 0; i < count; i += 1) hits[i]++;
#pragma omp parallel for schedule(runtime)
  for (int i = 0; i < count; ++i) hits[i]++;
  are_all(5);
#pragma omp parallel
  {
#pragma omp for schedule(dynamic) nowait
    for (unsigned long long i = 0; i < count; ++i) hits[i]++;
#pragma omp for schedule(guided, 2)
    for (unsigned long long i = count; i > 0; --i) hits[i - 1]++;
#pragma omp for schedule(static, 2)
    for (long i = 0; i < 2 * count; i += 2) hits[i / 2]++;
#pragma omp for schedule(monotonic : dynamic, 4)
    for (long i = 2 * (count - 1); i >= 0; i -= 2) hits[i / 2]++;
  }
  are_all(4);
  int last = -1, sum = 0;
#pragma omp parallel for schedule(dynamic, 5) lastprivate(last) reduction(+ : sum)
  for (int i = 0; i < count; ++i) last = i, sum += i;
  assert(last == count - 1 && sum == count * (count - 1) / 2);
#pragma omp parallel for schedule(dynamic)
  for (int i = 5; i < 5; ++i) hits[0]++;
  are_all(0);
}

static void in_order(void) {
  int next = 0;
#pragma omp parallel for ordered schedule(dynamic, 2)
  for (int i = 0; i < count; ++i) {
    hits[i]++;
#pragma omp ordered
    assert(next++ == i);
  }
  next = 0;
#pragma omp parallel for ordered schedule(static)
  for (int i = 0; i < count; ++i) {
    hits[i]++;
#pragma omp ordered
    assert(next++ == i);
  }
  are_all(2);
}

static void others(void) {
  int sections = 0, singles = 0, sum = 0, copies = 0, masters = 0;
#pragma omp parallel
  {
    int copied = 0;
#pragma omp sections
    {
#pragma omp section
#pragma omp atomic
      sections += 1;
#pragma omp section
#pragma omp atomic
      sections += 10;
#pragma omp section
#pragma omp atomic
      sections += 100;
    }
#pragma omp single
    singles++;
#pragma omp single copyprivate(copied)
    copied = 42;
#pragma omp critical(counted)
    copies += copied;
#pragma omp critical
    sum += omp_get_thread_num();
#pragma omp master
    masters++;
    mine = 10 + omp_get_thread_num();
  }
  assert(sections == 111 && singles == 1 && masters == 1 && copies == 4 * 42 && sum == 6);
#pragma omp parallel
  assert(mine == 10 + omp_get_thread_num());
}

static void locks(void) {
  omp_lock_t lock;
  omp_nest_lock_t nest;
  omp_init_lock(&lock);
  omp_init_nest_lock(&nest);
  int held = 0;
#pragma omp parallel
  {
    omp_set_lock(&lock);
    assert(held++ == 0);
#pragma omp flush
    held--;
    omp_unset_lock(&lock);
    omp_set_nest_lock(&nest);
    omp_set_nest_lock(&nest);
    omp_unset_nest_lock(&nest);
    omp_unset_nest_lock(&nest);
  }
  assert(omp_test_lock(&lock) && !omp_test_lock(&lock));
  omp_unset_lock(&lock);
  omp_destroy_lock(&lock);
  omp_destroy_nest_lock(&nest);
}

int main(void) {
  int provided;
  MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
  assert(omp_get_max_threads() == 4 && omp_get_num_threads() == 1 && !omp_in_parallel() && omp_get_level() == 0);
  loops();
  in_order();
  others();
  locks();
#pragma omp parallel num_threads(3)
  {
    assert(omp_get_num_threads() == 3 && omp_in_parallel() && omp_get_level() == 1);
#pragma omp parallel
    assert(omp_get_num_threads() == 1 && omp_get_level() == 2 && omp_get_team_size(1) == 3);
  }
  omp_set_num_threads(2);
#pragma omp parallel
  assert(omp_get_num_threads() == 2);
  omp_set_max_active_levels(2);
  int inner = 0;
#pragma omp parallel
#pragma omp parallel
#pragma omp atomic
  inner += omp_get_ancestor_thread_num(1) + 1;
  assert(inner == 2 * 1 + 2 * 2);
  MPI_Finalize();
  return 0;
}
