// SPDX-License-Identifier: MIT
//
// A loop of independent additions, which needs all arithmetic units of a core in each cycle. Another hardware thread
// takes half of them.
//
// The loop runs in parts, and the fastest part counts. On an Intel Xeon with AVX512-FP16, a quarter of the runs of the
// loop right after other code took 1.45 times longer on a quiet machine, and the next run did not. Perhaps the
// additions stay on the arithmetic units in a bad order until the loop ends. Another thread slows all parts down.
#include "simcore/core_probe.hpp"

#include <x86intrin.h>

#include <algorithm>

namespace rehearse {
namespace {

constexpr int parts = 4, rounds_of_part = 150, warming_rounds = 16, calibration_probes = 64;
constexpr double tolerance = 0.25;

[[gnu::noinline]] std::uint64_t ticks_of_loop(int rounds) {
  std::uint64_t a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8;
  _mm_lfence();
  const std::uint64_t begin = __rdtsc();
  for (int i = 0; i < rounds; ++i)
    asm volatile("add %8, %0\n add %8, %1\n add %8, %2\n add %8, %3\n add %8, %4\n add %8, %5\n add %8, %6\n add %8, %7"
                 : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f), "+r"(g), "+r"(h)
                 : "r"(begin));
  _mm_lfence();
  return __rdtsc() - begin;
}

// The code under measurement may have displaced the loop from the caches.
std::uint64_t probe() {
  ticks_of_loop(warming_rounds);
  std::uint64_t fastest = ticks_of_loop(rounds_of_part);
  for (int i = 1; i < parts; ++i) fastest = std::min(fastest, ticks_of_loop(rounds_of_part));
  return fastest;
}

}  // namespace

CoreProbe::CoreProbe() : fastest_(probe()) {
  for (int i = 1; i < calibration_probes; ++i) fastest_ = std::min(fastest_, probe());
}

bool CoreProbe::is_disturbed() {
  const std::uint64_t ticks = probe();
  fastest_ = std::min(fastest_, ticks);
  return static_cast<double>(ticks) > (1 + tolerance) * static_cast<double>(fastest_);
}

}  // namespace rehearse
