// SPDX-License-Identifier: MIT
//
// Statements of a program for Rehearse. Under another MPI library, assertions and assumptions are tested, choices
// return 0, and the other functions do nothing. No library is needed.
//
// For C and C++. Fortran procedures of a C or C++ program can call `rehearse_assert(condition)`,
// `rehearse_assume(condition)`, `rehearse_choose(count)` (a function), `rehearse_publish(name, value)`,
// `rehearse_never(predicate)`, `rehearse_always(predicate)` and `rehearse_result(name, variable, bytes)` with default
// logical, integer and character arguments. Rehearse has no MPI for Fortran.
#ifndef REHEARSE_H
#define REHEARSE_H

#include <stdio.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

#define REHEARSE_WEAK_ __attribute__((weak))
extern void rehearse_assertion_failed(const char* condition, const char* file, int line,
                                      const char* function) REHEARSE_WEAK_;
extern void rehearse_assumption_failed(const char* condition, const char* file, int line,
                                       const char* function) REHEARSE_WEAK_;
extern int rehearse_choose_one_of(int count, const char* file, int line) REHEARSE_WEAK_;
extern void rehearse_region_begins(const char* name) REHEARSE_WEAK_;
extern void rehearse_region_ends(void) REHEARSE_WEAK_;
extern void rehearse_value_published(const char* name, long long value) REHEARSE_WEAK_;
extern void rehearse_result_published(const char* name, const void* data, size_t bytes) REHEARSE_WEAK_;
extern void rehearse_never_published(const char* predicate) REHEARSE_WEAK_;
extern void rehearse_always_published(const char* predicate) REHEARSE_WEAK_;

static inline void rehearse_without_(const char* what, const char* condition, const char* file, int line,
                                     const char* function) {
  fprintf(stderr, "%s:%d: %s: %s: %s\n", file, line, function, what, condition);
  abort();
}

/* A macro: findings then name the line of the program. */
#define REHEARSE_UNLESS_(condition, report, what)                 \
  ((condition) ? (void)0                                          \
   : report    ? report(#condition, __FILE__, __LINE__, __func__) \
               : rehearse_without_(what, #condition, __FILE__, __LINE__, __func__))

/* The condition must be true here in every execution. Like assert(), but NDEBUG does not remove it. */
#define rehearse_assert(condition) \
  REHEARSE_UNLESS_(condition, rehearse_assertion_failed, "assertion failed")

/* Rehearse ignores executions in which the condition is false here: it reports no finding in them. */
#define rehearse_assume(condition) \
  REHEARSE_UNLESS_(condition, rehearse_assumption_failed, "assumption does not hold")

/* Returns a number from 0 to count - 1. check explores every number; run returns 0. count must be greater than 0. */
#define rehearse_choose(count) \
  (rehearse_choose_one_of ? rehearse_choose_one_of((count), __FILE__, __LINE__) : 0)

/* Gives this value of the rank a name, which predicates of any rank can use. The value is a whole number, the name one
   word. The next call with the same name replaces the value. */
#define rehearse_publish(name, value) \
  (rehearse_value_published ? rehearse_value_published((name), (long long)(value)) : (void)0)

/* The predicate must be false (never) or true (always) in every state of all ranks that the order of messages allows.
   docs/properties.md describes predicates. */
#define rehearse_never(predicate) (rehearse_never_published ? rehearse_never_published(predicate) : (void)0)
#define rehearse_always(predicate) (rehearse_always_published ? rehearse_always_published(predicate) : (void)0)

/* Publishes a result of the rank. `rehearse check --deterministic results` reports results that differ between
   executions. */
#define rehearse_result(name, data, bytes) \
  (rehearse_result_published ? rehearse_result_published((name), (data), (bytes)) : (void)0)

/* Reports show the calls between these two with the region's name. Regions can nest. The name must stay valid. */
static inline void rehearse_begin(const char* name) {
  if (rehearse_region_begins) rehearse_region_begins(name);
}
static inline void rehearse_end(void) {
  if (rehearse_region_ends) rehearse_region_ends();
}

#ifdef __cplusplus
}
#endif

#endif
