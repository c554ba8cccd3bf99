// SPDX-License-Identifier: MIT
//
// A slower machine for the program that this library is loaded into: clocks run slower by a factor, and before each
// operation that others can notice (a transfer, a wait, a look at a clock) the thread sleeps as if its computation
// since the last one had taken that many times longer.
//
// Units:   nanoseconds. `program` time is that of the slowed clocks, `real` time that of the machine.
// Threads: each has its own account of computation.
#ifndef REHEARSE_SLOWDOWN_H
#define REHEARSE_SLOWDOWN_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define SLOW_EXPORT __attribute__((visibility("default")))

// The function of this name behind ours, in a static variable `real`.
#define SLOW_REAL(type, name)                                         \
  static __typeof__(type) real;                                       \
  if (__builtin_expect(!__atomic_load_n(&real, __ATOMIC_RELAXED), 0)) \
  __atomic_store_n(&real, (__typeof__(type))dlsym(RTLD_NEXT, name), __ATOMIC_RELAXED)

enum { slow_second = 1000000000 };

// 1: nothing is slowed down.
double slow_factor(void);

// Sleeps for the computation since the last call in this thread. Keeps errno.
void slow_pay(void);

bool slow_is_slowed(clockid_t clock);
int64_t slow_program_time(clockid_t clock, int64_t real);
int64_t slow_real_time(clockid_t clock, int64_t program);

// A duration of the program in real time; saturates.
int64_t slow_stretch(int64_t duration);

static inline int64_t slow_from_timespec(const struct timespec* time) {
  return (int64_t)time->tv_sec * slow_second + time->tv_nsec;
}
static inline struct timespec slow_to_timespec(int64_t time) {
  if (time < 0) time = 0;
  return (struct timespec){.tv_sec = time / slow_second, .tv_nsec = time % slow_second};
}
// A deadline by the slowed CLOCK_REALTIME or CLOCK_MONOTONIC, whichever is nearer; for calls whose clock is unknown.
struct timespec slow_real_deadline(const struct timespec* program);
struct timespec slow_real_deadline_of(clockid_t clock, const struct timespec* program);

#endif
