// SPDX-License-Identifier: MIT
//
// The checks, each at its interval.
#include "mc/verdict/watch.hpp"

#include <sys/resource.h>

#include <algorithm>

namespace rehearse::mc::verdict {

std::optional<std::string> Watch::objection(std::uint64_t executions, std::uint64_t operations,
                                            std::uint64_t bytes_of_others) {
  peak_of_others_ = std::max(peak_of_others_, bytes_of_others);
  const double now = seconds();
  const bool asks = now >= next_question_;  // these checks may be slow compared with an execution
  if (asks) next_question_ = now + 0.005;
  if (options_.hooks.progress && now >= next_progress_) {
    options_.hooks.progress({executions, operations, now, fraction_ ? fraction_() : 0});
    next_progress_ = now + 0.25;
  }
  if (asks && objector_)
    if (auto objection = objector_(executions, now)) return objection;
  if (asks && meets_endless_execution(executions, operations, now)) return "an execution never ends";
  if (asks && options_.hooks.stop.stop_requested()) return "interrupted";
  if (asks && peak_bytes() > options_.bounds.max_bytes) return "the memory is used up (--max-memory)";
  if (now > options_.bounds.max_seconds) return "the time is up (--max-seconds)";
  return std::nullopt;
}

bool Watch::meets_endless_execution(std::uint64_t executions, std::uint64_t operations, double now) {
  if (!options_.hooks.is_endless || has_asked_) return false;
  if (executions != last_execution_ || operations < last_operations_) {
    last_execution_ = executions;
    last_operations_ = operations;
    last_end_ = now;
  }
  const Bounds& bounds = options_.bounds;
  if (operations - last_operations_ < bounds.long_events || now - last_end_ < bounds.long_seconds) return false;
  has_asked_ = true;
  return options_.hooks.is_endless();
}

std::uint64_t Watch::peak_bytes() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024 + peak_of_others_;
}

}  // namespace rehearse::mc::verdict
