// SPDX-License-Identifier: MIT
//
// Finds out whether this process had a core for itself for some time: its processor time against wall time, and the
// speed of a short loop at the end against that at the beginning.
//
// Limits:  a process that waits (for files, for memory) looks like one that shares its core. Less than 0.2 s of
//          processor time are not judged.
// Units:   seconds.
// Threads: only the thread that made it.
#pragma once

#include <chrono>
#include <cstdint>

#include "simcore/core_probe.hpp"

namespace rehearse::app {

struct CoreLoad {
  double wall_seconds = 0;
  double processor_seconds = 0;  // of the process and the kernel for it
  std::uint32_t probes = 0;
  std::uint32_t slow_probes = 0;

  double core_part() const { return wall_seconds > 0 ? processor_seconds / wall_seconds : 1; }
  bool is_long() const { return processor_seconds >= 0.2; }
  bool has_other_load() const { return is_long() && core_part() < 0.9; }
  bool has_slow_core() const { return is_long() && 4 * slow_probes > 3 * probes; }
  bool is_disturbed() const { return has_other_load() || has_slow_core(); }
  // 0: no sign of a disturbance. The part of the time without a core, plus the part of the slow probes: 2 at most.
  double disturbance() const {
    const double lost = core_part() < 1 ? 1 - core_part() : 0;
    return lost + (probes > 0 ? static_cast<double>(slow_probes) / probes : 0);
  }
};

class CoreLoadMeter {
 public:
  CoreLoadMeter();

  // Since the construction.
  CoreLoad measure();

 private:
  CoreProbe probe_;
  std::chrono::steady_clock::time_point begin_;
  double processor_begin_;
};

}  // namespace rehearse::app
