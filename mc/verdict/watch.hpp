// SPDX-License-Identifier: MIT
//
// Time, memory and whoever watches an exploration.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "mc/explore.hpp"

namespace rehearse::mc {

class Watch {
 public:
  explicit Watch(const ExploreOptions& options) : options_(options), start_(std::chrono::steady_clock::now()) {}

  // Why the exploration has to stop now, if it has to; tells the progress now and then. To be asked often.
  std::optional<std::string> objection(std::uint64_t executions, std::uint64_t operations) {
    const double now = seconds();
    const bool asks = now >= next_question_;  // what is asked may be slow, an execution is not
    if (asks) next_question_ = now + 0.005;
    if (options_.progress && now >= next_progress_) {
      options_.progress({executions, operations, now});
      next_progress_ = now + 0.25;
    }
    if (asks && options_.interrupted && options_.interrupted()) return "interrupted";
    if (now > options_.max_seconds) return "the time is up (--max-seconds)";
    return std::nullopt;
  }

  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  const ExploreOptions& options_;
  std::chrono::steady_clock::time_point start_;
  double next_progress_ = 0.5;
  double next_question_ = 0;
};

}  // namespace rehearse::mc
