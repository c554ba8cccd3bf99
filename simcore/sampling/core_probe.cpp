// SPDX-License-Identifier: MIT
//
// A loop of independent additions and multiplications, which needs most of the units of a core.
#include "simcore/core_probe.hpp"

#include <x86intrin.h>

#include <algorithm>

namespace rehearse {
namespace {

constexpr int probe_rounds = 600, warming_rounds = 16, calibration_probes = 64;

// The compiler must keep each chain in a register of its own.
[[gnu::noinline]] std::uint64_t ticks_of_loop(int rounds) {
  double a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8;
  std::uint64_t x = 1, y = 2, z = 3, w = 4;
  _mm_lfence();
  const std::uint64_t begin = __rdtsc();
  for (int i = 0; i < rounds; ++i) {
    a = a * 1.0000001 + 0.1, b = b * 1.0000001 + 0.1, c = c * 1.0000001 + 0.1, d = d * 1.0000001 + 0.1;
    e = e * 1.0000001 + 0.1, f = f * 1.0000001 + 0.1, g = g * 1.0000001 + 0.1, h = h * 1.0000001 + 0.1;
    x += static_cast<std::uint64_t>(i), y ^= x, z += static_cast<std::uint64_t>(i), w ^= z;
    asm volatile("" : "+x"(a), "+x"(b), "+x"(c), "+x"(d), "+x"(e), "+x"(f), "+x"(g), "+x"(h));
    asm volatile("" : "+r"(x), "+r"(y), "+r"(z), "+r"(w));
  }
  _mm_lfence();
  return __rdtsc() - begin;
}

// The code under measurement may have displaced the loop from the caches.
std::uint64_t probe() {
  ticks_of_loop(warming_rounds);
  return ticks_of_loop(probe_rounds);
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
