// SPDX-License-Identifier: MIT
//
// Waits with a timeout or a deadline, and alarms: they last longer by the factor. See slowdown.h.
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "app/attach/library/slowdown.h"

// Milliseconds of a wait; negative: no timeout.
static int longer_ms(int timeout) {
  if (timeout <= 0 || slow_factor() <= 1) return timeout;
  const double real = timeout * slow_factor();
  return real < INT_MAX ? (int)real : INT_MAX;
}

// The stretched timeout in `place`, or null as it was.
static struct timespec* longer(const struct timespec* timeout, struct timespec* place) {
  if (timeout == NULL) return NULL;
  *place = slow_to_timespec(slow_stretch(slow_from_timespec(timeout)));
  return place;
}

SLOW_EXPORT int poll(struct pollfd* files, nfds_t count, int timeout) {
  SLOW_REAL(int (*)(struct pollfd*, nfds_t, int), "poll");
  slow_pay();
  return real(files, count, longer_ms(timeout));
}

SLOW_EXPORT int __poll_chk(struct pollfd* files, nfds_t count, int timeout, size_t room);
SLOW_EXPORT int __poll_chk(struct pollfd* files, nfds_t count, int timeout, size_t room) {
  SLOW_REAL(int (*)(struct pollfd*, nfds_t, int, size_t), "__poll_chk");
  slow_pay();
  return real(files, count, longer_ms(timeout), room);
}

SLOW_EXPORT int ppoll(struct pollfd* files, nfds_t count, const struct timespec* timeout, const sigset_t* mask) {
  SLOW_REAL(int (*)(struct pollfd*, nfds_t, const struct timespec*, const sigset_t*), "ppoll");
  struct timespec place;
  slow_pay();
  return real(files, count, longer(timeout, &place), mask);
}

SLOW_EXPORT int select(int count, fd_set* restrict in, fd_set* restrict out, fd_set* restrict other,
                       struct timeval* restrict timeout) {
  SLOW_REAL(int (*)(int, fd_set*, fd_set*, fd_set*, struct timeval*), "select");
  slow_pay();
  if (timeout == NULL || slow_factor() <= 1) return real(count, in, out, other, timeout);
  const int64_t asked = (int64_t)timeout->tv_sec * slow_second + (int64_t)timeout->tv_usec * 1000;
  const struct timespec stretched = slow_to_timespec(slow_stretch(asked));
  struct timeval place = {stretched.tv_sec, stretched.tv_nsec / 1000};
  const int result = real(count, in, out, other, &place);
  const double left = ((double)place.tv_sec * 1e6 + (double)place.tv_usec) / slow_factor();
  *timeout = (struct timeval){(time_t)(left / 1e6), (suseconds_t)(left - 1e6 * (double)(time_t)(left / 1e6))};
  return result;
}

SLOW_EXPORT int pselect(int count, fd_set* restrict in, fd_set* restrict out, fd_set* restrict other,
                        const struct timespec* restrict timeout, const sigset_t* restrict mask) {
  SLOW_REAL(int (*)(int, fd_set*, fd_set*, fd_set*, const struct timespec*, const sigset_t*), "pselect");
  struct timespec place;
  slow_pay();
  return real(count, in, out, other, longer(timeout, &place), mask);
}

SLOW_EXPORT int epoll_wait(int poll, struct epoll_event* events, int count, int timeout) {
  SLOW_REAL(int (*)(int, struct epoll_event*, int, int), "epoll_wait");
  slow_pay();
  return real(poll, events, count, longer_ms(timeout));
}

SLOW_EXPORT int epoll_pwait(int poll, struct epoll_event* events, int count, int timeout, const sigset_t* mask) {
  SLOW_REAL(int (*)(int, struct epoll_event*, int, int, const sigset_t*), "epoll_pwait");
  slow_pay();
  return real(poll, events, count, longer_ms(timeout), mask);
}

SLOW_EXPORT int epoll_pwait2(int poll, struct epoll_event* events, int count, const struct timespec* timeout,
                             const sigset_t* mask) {
  SLOW_REAL(int (*)(int, struct epoll_event*, int, const struct timespec*, const sigset_t*), "epoll_pwait2");
  struct timespec place;
  slow_pay();
  return real(poll, events, count, longer(timeout, &place), mask);
}

// ---- deadlines

SLOW_EXPORT int pthread_cond_timedwait(pthread_cond_t* restrict condition, pthread_mutex_t* restrict mutex,
                                       const struct timespec* restrict deadline) {
  SLOW_REAL(int (*)(pthread_cond_t*, pthread_mutex_t*, const struct timespec*), "pthread_cond_timedwait");
  if (slow_factor() <= 1) return real(condition, mutex, deadline);
  const struct timespec later = slow_real_deadline(deadline);
  return real(condition, mutex, &later);
}

SLOW_EXPORT int pthread_cond_clockwait(pthread_cond_t* restrict condition, pthread_mutex_t* restrict mutex,
                                       clockid_t clock, const struct timespec* restrict deadline) {
  SLOW_REAL(int (*)(pthread_cond_t*, pthread_mutex_t*, clockid_t, const struct timespec*), "pthread_cond_clockwait");
  const struct timespec later = slow_real_deadline_of(clock, deadline);
  return real(condition, mutex, clock, &later);
}

SLOW_EXPORT int sem_timedwait(sem_t* restrict semaphore, const struct timespec* restrict deadline) {
  SLOW_REAL(int (*)(sem_t*, const struct timespec*), "sem_timedwait");
  const struct timespec later = slow_real_deadline_of(CLOCK_REALTIME, deadline);
  return real(semaphore, &later);
}

SLOW_EXPORT int pthread_mutex_timedlock(pthread_mutex_t* restrict mutex, const struct timespec* restrict deadline) {
  SLOW_REAL(int (*)(pthread_mutex_t*, const struct timespec*), "pthread_mutex_timedlock");
  const struct timespec later = slow_real_deadline_of(CLOCK_REALTIME, deadline);
  return real(mutex, &later);
}

// ---- alarms

static struct timeval stretched_timeval(struct timeval value) {
  const struct timespec time =
      slow_to_timespec(slow_stretch((int64_t)value.tv_sec * slow_second + (int64_t)value.tv_usec * 1000));
  return (struct timeval){time.tv_sec, time.tv_nsec / 1000};
}
static struct timeval shrunk_timeval(struct timeval value) {
  const double microseconds = ((double)value.tv_sec * 1e6 + (double)value.tv_usec) / slow_factor();
  const time_t seconds = (time_t)(microseconds / 1e6);
  return (struct timeval){seconds, (suseconds_t)(microseconds - 1e6 * (double)seconds)};
}

SLOW_EXPORT int setitimer(__itimer_which_t which, const struct itimerval* restrict value,
                          struct itimerval* restrict old) {
  SLOW_REAL(int (*)(int, const struct itimerval*, struct itimerval*), "setitimer");
  if ((int)which != ITIMER_REAL || value == NULL || slow_factor() <= 1) return real((int)which, value, old);
  const struct itimerval later = {stretched_timeval(value->it_interval), stretched_timeval(value->it_value)};
  const int result = real((int)which, &later, old);
  if (result == 0 && old != NULL)
    *old = (struct itimerval){shrunk_timeval(old->it_interval), shrunk_timeval(old->it_value)};
  return result;
}

SLOW_EXPORT unsigned alarm(unsigned seconds) {
  struct itimerval value = {.it_value = {.tv_sec = seconds}}, old = {.it_value = {0, 0}};
  if (setitimer(ITIMER_REAL, &value, &old) != 0) return 0;
  return (unsigned)old.it_value.tv_sec + (old.it_value.tv_usec > 0);
}

SLOW_EXPORT int timerfd_settime(int timer, int flags, const struct itimerspec* value, struct itimerspec* old) {
  SLOW_REAL(int (*)(int, int, const struct itimerspec*, struct itimerspec*), "timerfd_settime");
  if (slow_factor() <= 1 || value == NULL) return real(timer, flags, value, old);
  struct itimerspec later = *value;
  const int64_t first = slow_from_timespec(&value->it_value);
  later.it_interval = slow_to_timespec(slow_stretch(slow_from_timespec(&value->it_interval)));
  if (first != 0 && (flags & TFD_TIMER_ABSTIME)) later.it_value = slow_real_deadline(&value->it_value);
  else later.it_value = slow_to_timespec(slow_stretch(first));
  const int result = real(timer, flags, &later, old);
  if (result != 0 || old == NULL) return result;
  old->it_interval = slow_to_timespec((int64_t)((double)slow_from_timespec(&old->it_interval) / slow_factor()));
  old->it_value = slow_to_timespec((int64_t)((double)slow_from_timespec(&old->it_value) / slow_factor()));
  return result;
}
