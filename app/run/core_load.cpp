// SPDX-License-Identifier: MIT
//
// See core_load.hpp.
#include "app/core_load.hpp"

#include <sys/resource.h>

namespace rehearse::app {
namespace {

double processor_seconds() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

}  // namespace

CoreLoadMeter::CoreLoadMeter() : begin_(std::chrono::steady_clock::now()), processor_begin_(processor_seconds()) {}

CoreLoad CoreLoadMeter::measure() {
  constexpr std::uint32_t probes = 20;
  CoreLoad load;
  load.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  load.processor_seconds = processor_seconds() - processor_begin_;
  load.probes = probes;
  for (std::uint32_t i = 0; i < probes; ++i) load.slow_probes += probe_.is_disturbed() ? 1 : 0;
  return load;
}

}  // namespace rehearse::app
