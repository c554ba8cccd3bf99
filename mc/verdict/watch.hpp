// SPDX-License-Identifier: MIT
//
// Time, memory and whoever watches an exploration.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "mc/explore.hpp"

namespace rehearse::mc {

class Watch {
 public:
  explicit Watch(const ExploreOptions& options) : options_(options), start_(std::chrono::steady_clock::now()) {}

  // Why the exploration has to stop now, if it has to; tells the progress now and then. To be asked often.
  std::optional<std::string> objection(std::uint64_t executions, std::uint64_t operations,
                                       std::uint64_t bytes_of_others = 0);

  // Whether there is an objection, apart from memory. To be asked at any moment, in signal handlers, too.
  bool is_over() const { return seconds() > options_.max_seconds || (options_.interrupted && options_.interrupted()); }

  // How much is done, to be asked with the progress; empty: nobody knows.
  void estimate(std::function<double()> fraction) { fraction_ = std::move(fraction); }

  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

  std::uint64_t peak_bytes();  // since this process began; with what was said of others

 private:
  const ExploreOptions& options_;
  std::chrono::steady_clock::time_point start_;
  double next_progress_ = 0.5;
  double next_question_ = 0;
  std::uint64_t peak_of_others_ = 0;
  std::function<double()> fraction_;
};

}  // namespace rehearse::mc
