// SPDX-License-Identifier: MIT
//
// What a program can tell Rehearse about itself. Without Rehearse, under any other MPI library, all of this is
// harmless: assertions and assumptions are tested, choices are 0, all else means nothing, and nothing need be linked.
//
// C and C++. From Fortran: `call rehearse_assert(condition)`, `call rehearse_assume(condition)`,
// `n = rehearse_choose(count)`, `call rehearse_publish(name, value)`, `call rehearse_never(predicate)`,
// `call rehearse_always(predicate)`, `call rehearse_result(name, variable, bytes)` with default logical, integer and
// character arguments.
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

/* The calls stand in the program's own lines, which is where findings say that they are. */
#define REHEARSE_UNLESS_(condition, told, what)                                        \
  ((condition) ? (void)0                                                               \
   : told      ? told(#condition, __FILE__, __LINE__, __func__)                        \
               : rehearse_without_(what, #condition, __FILE__, __LINE__, __func__))

/* The condition holds here in every execution; as assert(), also where NDEBUG is defined. */
#define rehearse_assert(condition) \
  REHEARSE_UNLESS_(condition, rehearse_assertion_failed, "assertion failed")

/* Executions in which the condition does not hold here are not meant: nothing that happens in them is a finding. */
#define rehearse_assume(condition) \
  REHEARSE_UNLESS_(condition, rehearse_assumption_failed, "assumption does not hold")

/* A number from 0 to count - 1: each is explored. In simulated time it is 0. count > 0. */
#define rehearse_choose(count) \
  (rehearse_choose_one_of ? rehearse_choose_one_of((count), __FILE__, __LINE__) : 0)

/* From now on this value of the rank has that name, in predicates of any rank. A whole number; a name is a word. */
#define rehearse_publish(name, value) \
  (rehearse_value_published ? rehearse_value_published((name), (long long)(value)) : (void)0)

/* No state of all ranks that the order of messages allows makes the predicate true (false). docs/properties.md */
#define rehearse_never(predicate) (rehearse_never_published ? rehearse_never_published(predicate) : (void)0)
#define rehearse_always(predicate) (rehearse_always_published ? rehearse_always_published(predicate) : (void)0)

/* What the rank has computed: the same in every execution with `rehearse check --deterministic results`. */
#define rehearse_result(name, data, bytes) \
  (rehearse_result_published ? rehearse_result_published((name), (data), (bytes)) : (void)0)

/* What is called between these is told with the region's name. Regions nest; the name must stay valid. */
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
