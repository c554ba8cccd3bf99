// SPDX-License-Identifier: MIT
//
// Common parts of the benchmarks in this folder: arguments, the random numbers of EP and FT, and the report. Each takes
// a class (S, W, A or B; the default is S) and, where it has iterations, their number.
// Source of the random numbers: D. Bailey et al., The NAS Parallel Benchmarks, RNR-94-007, section 2.3.
#ifndef REHEARSE_EXAMPLES_TRACES_BENCHMARK_H
#define REHEARSE_EXAMPLES_TRACES_BENCHMARK_H
#include <math.h>
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char class_names[] = "SWAB";

// Every rank must end here in the same way, so all of them call it.
static void refuse(const char* reason) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) fprintf(stderr, "%s\n", reason);
  MPI_Finalize();
  exit(2);
}

// Rank 0 reads the arguments, as if they were an input file, and broadcasts them. Returns the number of the class.
static int class_of_arguments(int argc, char** argv, int* iterations) {
  int rank, given[2] = {0, 0};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    const char* found = argc > 1 && argv[1][0] != 0 ? strchr(class_names, argv[1][0]) : class_names;
    given[0] = found ? (int)(found - class_names) : -1;
    given[1] = argc > 2 ? atoi(argv[2]) : 0;
  }
  MPI_Bcast(given, 2, MPI_INT, 0, MPI_COMM_WORLD);
  if (given[0] < 0 || given[1] < 0) refuse("arguments: a class (S, W, A or B) and a number of iterations");
  if (iterations && given[1] > 0) *iterations = given[1];
  return given[0];
}

static inline int is_power_of_two(int n) { return (n & (n - 1)) == 0; }

static inline void* allocate(size_t count, size_t size) {
  void* memory = calloc(count, size);
  if (!memory) {
    fprintf(stderr, "no memory for %zu bytes\n", count * size);
    MPI_Abort(MPI_COMM_WORLD, 3);
  }
  return memory;
}

// ---- random numbers: x(i+1) = 5^13 x(i) modulo 2^46, divided by 2^46

static const uint64_t random_mask = (UINT64_C(1) << 46) - 1;
static const uint64_t random_factor = 1220703125;  // 5^13

static inline double next_random(uint64_t* state) {
  *state = *state * random_factor & random_mask;
  return (double)*state * 0x1p-46;
}

// The state after so many steps. The product modulo 2^64 has the right lower 46 bits.
static inline uint64_t random_state_after(uint64_t state, uint64_t steps) {
  for (uint64_t factor = random_factor; steps > 0; steps >>= 1, factor = factor * factor & random_mask)
    if (steps & 1) state = state * factor & random_mask;
  return state;
}

// ---- the report of rank 0

static inline int is_near(double value, double reference, double tolerance) {
  return fabs(value - reference) <= tolerance * fabs(reference);  // false if the value is no number
}

// Ends the benchmark: prints the longest time of a rank, and returns the exit status.
static int report(const char* name, int class_number, double seconds, int is_verified) {
  int rank, size;
  double longest = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Reduce(&seconds, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%s class %c, %d ranks: %s, %.6f s\n", name, class_names[class_number], size,
           is_verified ? "verified" : "WRONG RESULT", longest);
  MPI_Finalize();
  return is_verified || rank != 0 ? 0 : 1;
}

#endif
