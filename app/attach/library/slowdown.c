// SPDX-License-Identifier: MIT
//
// Clocks, sleeps and the account of computation. See slowdown.h.
//
// REHEARSE_DILATION is `FACTOR REALTIME MONOTONIC`: the readings of both clocks at the start of the job, from which
// slowed clocks go on. So all programs of a job agree on the time.
#define _GNU_SOURCE
#include "app/attach/library/slowdown.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

// Shorter debts wait: a sleep takes some 60 us more than it should, which the next ones make good.
enum { least_debt = 20000 };

static struct {
  double factor;
  int64_t realtime, monotonic;
} setting = {1, 0, 0};

static __thread struct {
  int64_t seen;  // CPU time of the thread
  int64_t debt;  // negative: it slept too long
} account __attribute__((tls_model("initial-exec")));

__attribute__((constructor)) static void read_setting(void) {
  const char* text = getenv("REHEARSE_DILATION");
  double factor = 1;
  long long realtime = 0, monotonic = 0;
  if (text == NULL || sscanf(text, "%lf %lld %lld", &factor, &realtime, &monotonic) != 3 || !(factor >= 1)) return;
  setting.realtime = realtime;
  setting.monotonic = monotonic;
  setting.factor = factor;
}

double slow_factor(void) { return setting.factor; }

// System calls, because the functions of libc are ours.
static int64_t read_real(clockid_t clock) {
  struct timespec now = {0, 0};
  syscall(SYS_clock_gettime, clock, &now);
  return slow_from_timespec(&now);
}

void slow_pay(void) {
  if (setting.factor <= 1) return;
  const int old_errno = errno;
  const int64_t used = read_real(CLOCK_THREAD_CPUTIME_ID);
  if (used < account.seen) account.seen = 0;  // a child begins at 0
  account.debt += (int64_t)((setting.factor - 1) * (double)(used - account.seen));
  account.seen = used;
  if (account.debt >= least_debt) {
    const int64_t start = read_real(CLOCK_MONOTONIC);
    const struct timespec pause = slow_to_timespec(account.debt);
    syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &pause, NULL);
    account.debt -= read_real(CLOCK_MONOTONIC) - start;
    account.seen = read_real(CLOCK_THREAD_CPUTIME_ID);
  }
  errno = old_errno;
}

bool slow_is_slowed(clockid_t clock) {
  switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_TAI:
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_BOOTTIME: return setting.factor > 1;
    default: return false;  // CPU times are those of the program
  }
}

static int64_t start_of(clockid_t clock) {
  const bool is_date = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
  return is_date ? setting.realtime : setting.monotonic;
}

int64_t slow_program_time(clockid_t clock, int64_t real) {
  if (!slow_is_slowed(clock)) return real;
  const int64_t start = start_of(clock);
  return start + (int64_t)((double)(real - start) / setting.factor);
}

int64_t slow_stretch(int64_t duration) {
  const double real = (double)duration * setting.factor;
  return real < 9e18 ? (int64_t)real : INT64_MAX;
}

int64_t slow_real_time(clockid_t clock, int64_t program) {
  if (!slow_is_slowed(clock)) return program;
  const int64_t start = start_of(clock);
  const double real = (double)start + (double)(program - start) * setting.factor;
  return real < 9e18 ? start + slow_stretch(program - start) : INT64_MAX;
}

struct timespec slow_real_deadline_of(clockid_t clock, const struct timespec* program) {
  return slow_to_timespec(slow_real_time(clock, slow_from_timespec(program)));
}

struct timespec slow_real_deadline(const struct timespec* program) {
  const int64_t date = slow_from_timespec(program);
  const bool is_date = llabs(date - setting.realtime) < llabs(date - setting.monotonic);
  return slow_real_deadline_of(is_date ? CLOCK_REALTIME : CLOCK_MONOTONIC, program);
}

// ---- clocks

SLOW_EXPORT int clock_gettime(clockid_t clock, struct timespec* now) {
  SLOW_REAL(int (*)(clockid_t, struct timespec*), "clock_gettime");
  if (slow_is_slowed(clock)) slow_pay();
  const int result = real(clock, now);
  if (result == 0 && slow_is_slowed(clock)) *now = slow_to_timespec(slow_program_time(clock, slow_from_timespec(now)));
  return result;
}

SLOW_EXPORT int gettimeofday(struct timeval* restrict now, void* restrict zone) {
  (void)zone;
  struct timespec precise;
  const int result = clock_gettime(CLOCK_REALTIME, &precise);
  if (result == 0) *now = (struct timeval){precise.tv_sec, precise.tv_nsec / 1000};
  return result;
}

SLOW_EXPORT time_t time(time_t* now) {
  struct timespec precise;
  clock_gettime(CLOCK_REALTIME, &precise);
  if (now != NULL) *now = precise.tv_sec;
  return precise.tv_sec;
}

SLOW_EXPORT int timespec_get(struct timespec* now, int base) {
  if (base != TIME_UTC || clock_gettime(CLOCK_REALTIME, now) != 0) return 0;
  return base;
}

// ---- sleeps

SLOW_EXPORT int clock_nanosleep(clockid_t clock, int flags, const struct timespec* time, struct timespec* left) {
  SLOW_REAL(int (*)(clockid_t, int, const struct timespec*, struct timespec*), "clock_nanosleep");
  if (!slow_is_slowed(clock)) return real(clock, flags, time, left);
  slow_pay();
  const bool is_date = (flags & TIMER_ABSTIME) != 0;
  const struct timespec longer = is_date ? slow_real_deadline_of(clock, time)
                                         : slow_to_timespec(slow_stretch(slow_from_timespec(time)));
  const int result = real(clock, flags, &longer, left);
  if (result == EINTR && !is_date && left != NULL)
    *left = slow_to_timespec((int64_t)((double)slow_from_timespec(left) / setting.factor));
  return result;
}

SLOW_EXPORT int nanosleep(const struct timespec* time, struct timespec* left) {
  const int result = clock_nanosleep(CLOCK_REALTIME, 0, time, left);
  if (result == 0) return 0;
  errno = result;
  return -1;
}

SLOW_EXPORT int usleep(useconds_t microseconds) {
  const struct timespec time = slow_to_timespec((int64_t)microseconds * 1000);
  return nanosleep(&time, NULL);
}

SLOW_EXPORT unsigned sleep(unsigned seconds) {
  struct timespec time = {.tv_sec = seconds}, left = {0, 0};
  if (nanosleep(&time, &left) == 0) return 0;
  return (unsigned)left.tv_sec + (left.tv_nsec > 0);
}
