// SPDX-License-Identifier: MIT
//
// Statements of a program for Rehearse. Under another MPI library, assertions and assumptions are tested, choices
// return 0, and the other functions do nothing. No library is needed.
//
// For C and C++. Fortran procedures of a C or C++ program can call `rehearse_assert(condition)`,
// `rehearse_assume(condition)`, `rehearse_choose(count)` (a function), `rehearse_publish(name, value)`,
// `rehearse_never(predicate)`, `rehearse_always(predicate)` and `rehearse_result(name, variable, bytes)` with default
// logical, integer and character arguments, and `rehearse_shared_alloc(bytes, name, memory)` and
// `rehearse_shared_free(memory)` with bytes of kind c_long_long and memory of type(c_ptr). Rehearse has no MPI for
// Fortran.
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

/* What a call of rehearse_sample_next samples. Negative fields, or no rule: as the options of rehearse run say. */
struct rehearse_sample_rule {
  long long most;        /* executions of a class that run; at least 1 */
  double error;          /* of the mean, with 95 % confidence; 0: no early stop */
  int scope;             /* a class is for 0: the run, 1: each host, 2: each rank */
  int by_standard_error; /* `error` limits the standard error */
};
extern int rehearse_sample_asked(const char* name, const long long* numbers, int count,
                                 const struct rehearse_sample_rule* rule) REHEARSE_WEAK_;
extern void rehearse_sample_ended(void) REHEARSE_WEAK_;
extern void rehearse_volume_stated(double amount, int unit) REHEARSE_WEAK_;
extern int rehearse_volume_replaces(double amount, int unit) REHEARSE_WEAK_;
extern void* rehearse_memory_folded(size_t bytes, const char* name) REHEARSE_WEAK_;
extern void rehearse_memory_unfolded(void* memory) REHEARSE_WEAK_;

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
#define rehearse_assert(condition) REHEARSE_UNLESS_(condition, rehearse_assertion_failed, "assertion failed")

/* Rehearse ignores executions in which the condition is false here: it reports no finding in them. */
#define rehearse_assume(condition) REHEARSE_UNLESS_(condition, rehearse_assumption_failed, "assumption does not hold")

/* Returns a number from 0 to count - 1. check explores every number; run returns 0. count must be greater than 0. */
#define rehearse_choose(count) (rehearse_choose_one_of ? rehearse_choose_one_of((count), __FILE__, __LINE__) : 0)

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

/* Returns whether the code that follows must run; then rehearse_sample_end() must end it. Executions with the same name
   and the same numbers (0 to 4) are a class: rehearse run measures some of them, and for the others only time passes.
   In check and under another MPI library, all run. The code must not call MPI. */
static inline int rehearse_sample_next(const char* name, const long long* numbers, int count,
                                       const struct rehearse_sample_rule* rule) {
  return rehearse_sample_asked ? rehearse_sample_asked(name, numbers, count, rule) : 1;
}
static inline void rehearse_sample_end(void) {
  if (rehearse_sample_ended) rehearse_sample_ended();
}
static inline int rehearse_sampled_(int count, const char* name, long long a, long long b, long long c, long long d) {
  const long long numbers[4] = {a, b, c, d};
  return rehearse_sample_next(name, numbers, count, (const struct rehearse_sample_rule*)0);
}

/* rehearse_sampled("dgemm", m, n, k) { ... } samples the block: a name and up to 4 whole numbers. Leave the block by
   its end or by `continue`: a block that break, return or goto leaves is no sample. */
#define REHEARSE_JOIN_2_(a, b) a##b
#define REHEARSE_JOIN_(a, b) REHEARSE_JOIN_2_(a, b)
#define REHEARSE_SIXTH_(a, b, c, d, e, f, ...) f
#define REHEARSE_SAMPLED_1_(name) rehearse_sampled_(0, name, 0, 0, 0, 0)
#define REHEARSE_SAMPLED_2_(name, a) rehearse_sampled_(1, name, a, 0, 0, 0)
#define REHEARSE_SAMPLED_3_(name, a, b) rehearse_sampled_(2, name, a, b, 0, 0)
#define REHEARSE_SAMPLED_4_(name, a, b, c) rehearse_sampled_(3, name, a, b, c, 0)
#define REHEARSE_SAMPLED_5_(name, a, b, c, d) rehearse_sampled_(4, name, a, b, c, d)
#define REHEARSE_IF_RUNS_(runs, variable) for (int variable = (runs); variable; variable = (rehearse_sample_end(), 0))
#define rehearse_sampled(...)                                                                                   \
  REHEARSE_IF_RUNS_(REHEARSE_SIXTH_(__VA_ARGS__, REHEARSE_SAMPLED_5_, REHEARSE_SAMPLED_4_, REHEARSE_SAMPLED_3_, \
                                    REHEARSE_SAMPLED_2_, REHEARSE_SAMPLED_1_, 0)(__VA_ARGS__),                  \
                    REHEARSE_JOIN_(rehearse_runs_, __LINE__))

/* Nothing runs, and time passes: that of a computation of so many seconds on this machine (with --compute-scale), of so
   many flops on the simulated host, or of so many instructions (with --instruction-rate). */
static inline void rehearse_compute_for(double seconds) {
  if (rehearse_volume_stated) rehearse_volume_stated(seconds, 0);
}
static inline void rehearse_compute_flops(double flops) {
  if (rehearse_volume_stated) rehearse_volume_stated(flops, 1);
}
static inline void rehearse_compute_instructions(double instructions) {
  if (rehearse_volume_stated) rehearse_volume_stated(instructions, 2);
}

/* Memory whose values do not matter: in rehearse run, the arrays with the same name and size are one array in physical
   memory, in all ranks and within each. The data of the program then mean nothing. In check, with run --no-fold and
   under another MPI library, it is private. */
static inline void* rehearse_shared_alloc(size_t bytes, const char* name) {
  return rehearse_memory_folded ? rehearse_memory_folded(bytes, name) : malloc(bytes);
}
static inline void rehearse_shared_free(void* memory) {
  if (rehearse_memory_unfolded) rehearse_memory_unfolded(memory);
  else free(memory);
}

#ifdef __cplusplus
}
#endif

#endif
