// SPDX-License-Identifier: MIT
//
// The macros of SMPI for sampling and for shared memory, for Rehearse, with their documented meaning. Under another MPI
// library they are plain loops, blocks, allocations and calls. In C they need C99.
//
// A loop goes on to its end: iterations beyond the sample skip only the body. The body must not call MPI, and ends at
// its end or by `continue`. The times of skipped bodies are drawn from the measured ones; `rehearse run --sample-as
// mean` gives each the mean.
//
// Source: the documentation of SMPI, "Sampling the computations"; P.-N. Clauss et al., Single Node On-Line Simulation
//         of MPI Applications with SMPI, 2011 (the forms with one argument). The documentation, "Reducing your memory
//         footprint".
#ifndef REHEARSE_SMPI_COMPAT_H
#define REHEARSE_SMPI_COMPAT_H

#include <rehearse.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

extern void* rehearse_memory_partly_folded(size_t bytes, const size_t* shared, int count,
                                           const char* name) REHEARSE_WEAK_;
extern int rehearse_result_known(const char* function, const char* input) REHEARSE_WEAK_;
extern void* rehearse_result_of(const char* function, const char* input) REHEARSE_WEAK_;
extern void* rehearse_result_stored(const char* function, const char* input, void* result) REHEARSE_WEAK_;

static inline void* rehearse_smpi_partial_(size_t bytes, const size_t* shared, int count, const char* site) {
  return rehearse_memory_partly_folded ? rehearse_memory_partly_folded(bytes, shared, count, site) : malloc(bytes);
}
static inline int rehearse_smpi_known_(const char* function, const char* input) {
  return rehearse_result_known ? rehearse_result_known(function, input) : 0;
}
static inline void* rehearse_smpi_result_(const char* function, const char* input) {
  return rehearse_result_of ? rehearse_result_of(function, input) : NULL;
}
static inline void* rehearse_smpi_store_(const char* function, const char* input, void* result) {
  return rehearse_result_stored ? rehearse_result_stored(function, input, result) : result;
}

static inline int rehearse_smpi_sample_(int scope, const char* site, const char* tag, long long most, double error) {
  const struct rehearse_sample_rule rule = {most, error > 0 ? error : 0, scope, 1};
  char name[512];
  if (tag == NULL) return rehearse_sample_next(site, NULL, 0, &rule);
  snprintf(name, sizeof name, "%s:%s", site, tag);
  return rehearse_sample_next(name, NULL, 0, &rule);
}
static inline int rehearse_smpi_replace_(double amount, int unit) {
  return rehearse_volume_replaces ? rehearse_volume_replaces(amount, unit) : 1;
}

#ifdef __cplusplus
}
#endif

#define REHEARSE_TEXT_2_(x) #x
#define REHEARSE_TEXT_(x) REHEARSE_TEXT_2_(x)
#define REHEARSE_SITE_ __FILE__ ":" REHEARSE_TEXT_(__LINE__)
#define REHEARSE_SMPI_IF_(scope, tag, most, error)                                  \
  REHEARSE_IF_RUNS_(rehearse_smpi_sample_(scope, REHEARSE_SITE_, tag, most, error), \
                    REHEARSE_JOIN_(rehearse_runs_, __LINE__))
#define REHEARSE_SMPI_SIXTH_(a, b, c, d, e, f, ...) f
#define REHEARSE_SMPI_FORM_(one, five, ...)                                                     \
  REHEARSE_SMPI_SIXTH_(__VA_ARGS__, five, wrong_number_of_arguments, wrong_number_of_arguments, \
                       wrong_number_of_arguments, one, 0)

#define REHEARSE_SMPI_LOCAL_1_(most) REHEARSE_SMPI_IF_(2, NULL, most, 0)
#define REHEARSE_SMPI_GLOBAL_1_(most) REHEARSE_SMPI_IF_(0, NULL, most, 0)
#define REHEARSE_SMPI_LOCAL_5_(init, condition, step, most, error) \
  for (init; condition; step) REHEARSE_SMPI_IF_(2, NULL, most, error)
#define REHEARSE_SMPI_GLOBAL_5_(init, condition, step, most, error) \
  for (init; condition; step) REHEARSE_SMPI_IF_(0, NULL, most, error)

/* SMPI_SAMPLE_LOCAL(init, condition, step, n, threshold) { body }: each rank runs the body at most n times, and stops
   earlier when the standard error of the mean is at most `threshold` of the mean (0: never). GLOBAL: n times in all,
   whichever ranks. SMPI_SAMPLE_LOCAL(n) { block } and SMPI_SAMPLE_GLOBAL(n) { block }: the forms of 2011. */
#define SMPI_SAMPLE_LOCAL(...) \
  REHEARSE_SMPI_FORM_(REHEARSE_SMPI_LOCAL_1_, REHEARSE_SMPI_LOCAL_5_, __VA_ARGS__)(__VA_ARGS__)
#define SMPI_SAMPLE_GLOBAL(...) \
  REHEARSE_SMPI_FORM_(REHEARSE_SMPI_GLOBAL_1_, REHEARSE_SMPI_GLOBAL_5_, __VA_ARGS__)(__VA_ARGS__)

/* The same; each tag (a text) is a class of its own. */
#define SMPI_SAMPLE_LOCAL_TAG(init, condition, step, most, error, tag) \
  for (init; condition; step) REHEARSE_SMPI_IF_(2, tag, most, error)
#define SMPI_SAMPLE_GLOBAL_TAG(init, condition, step, most, error, tag) \
  for (init; condition; step) REHEARSE_SMPI_IF_(0, tag, most, error)

/* The block never runs; computation of so many seconds, or flops, takes its place. */
#define REHEARSE_SMPI_REPLACE_(amount, unit, variable) \
  for (int variable = rehearse_smpi_replace_(amount, unit); variable; variable = 0)
#define SMPI_SAMPLE_DELAY(seconds) REHEARSE_SMPI_REPLACE_(seconds, 0, REHEARSE_JOIN_(rehearse_runs_, __LINE__))
#define SMPI_SAMPLE_FLOPS(flops) REHEARSE_SMPI_REPLACE_(flops, 1, REHEARSE_JOIN_(rehearse_runs_, __LINE__))

/* Memory that all ranks share: that of one line of the source and one size. */
#define SMPI_SHARED_MALLOC(bytes) rehearse_shared_alloc(bytes, REHEARSE_SITE_)
#define SMPI_SHARED_FREE(memory) rehearse_shared_free(memory)
#define SMPI_FREE(memory) rehearse_shared_free(memory)

/* Only the `count` blocks [offsets[2i], offsets[2i+1]) are shared, as far as they have whole pages. */
#define SMPI_PARTIAL_SHARED_MALLOC(bytes, offsets, count) rehearse_smpi_partial_(bytes, offsets, count, REHEARSE_SITE_)

/* function(arguments...), which returns a pointer, runs once for each `input` (a text); all ranks get its result. */
#define SMPI_SHARED_CALL(function, input, ...)                                      \
  (rehearse_smpi_known_(#function, input) ? rehearse_smpi_result_(#function, input) \
                                          : rehearse_smpi_store_(#function, input, (function)(__VA_ARGS__)))

#endif
