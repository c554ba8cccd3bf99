// SPDX-License-Identifier: MIT
//
// The limits of time and memory of an exploration, and its progress reports.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "mc/explore_options.hpp"
#include "simcore/stop_token.hpp"

namespace rehearse::mc::verdict {

class Watch {
 public:
  explicit Watch(const ExploreOptions& options)
      : options_(options),
        start_(std::chrono::steady_clock::now()),
        stop_(options.hooks.stop.until(start_, options.bounds.max_seconds)) {}

  // The reason to stop the exploration now, if there is one. Also reports the progress at intervals. Call it often.
  std::optional<std::string> objection(std::uint64_t executions, std::uint64_t operations,
                                       std::uint64_t bytes_of_others = 0);

  // Set when there is an objection other than memory.
  const StopToken& stop() const { return stop_; }

  // Sets the estimate of the completed fraction, for progress reports; empty: unknown.
  void estimate(std::function<double()> fraction) { fraction_ = std::move(fraction); }

  // Sets a further source of objections, which gets the numbers of executions and seconds. It is asked at intervals.
  using Objector = std::function<std::optional<std::string>(std::uint64_t, double)>;
  void also_ask(Objector objector) { objector_ = std::move(objector); }

  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

  std::uint64_t peak_bytes();  // of this process, plus the largest `bytes_of_others`

 private:
  bool meets_endless_execution(std::uint64_t executions, std::uint64_t operations, double now);

  const ExploreOptions& options_;
  std::chrono::steady_clock::time_point start_;
  StopToken stop_;
  double next_progress_ = 0.5;
  double next_question_ = 0;
  std::uint64_t peak_of_others_ = 0;
  // When the last execution ended, for Hooks::is_endless.
  std::uint64_t last_execution_ = 0, last_operations_ = 0;
  double last_end_ = 0;
  bool has_asked_ = false;
  std::function<double()> fraction_;
  Objector objector_;  // empty: none
};

}  // namespace rehearse::mc::verdict
