// SPDX-License-Identifier: MIT
//
// Whoever watches an exploration objects when time or memory is up, or when somebody interrupts.
#include "mc/verdict/watch.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <thread>

using namespace rehearse;
using namespace rehearse::mc;
using namespace rehearse::mc::verdict;

TEST_CASE("watch: there is no objection without a bound", "[mc][watch]") {
  const ExploreOptions options;
  Watch watch(options);
  CHECK_FALSE(watch.objection(1, 2));
  CHECK_FALSE(watch.stop().stop_requested());
  CHECK(watch.seconds() >= 0);
}

TEST_CASE("watch: the time limit is named", "[mc][watch]") {
  ExploreOptions options;
  options.bounds.max_seconds = 0;
  Watch watch(options);
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  CHECK(watch.stop().stop_requested());
  CHECK(watch.objection(0, 0) == "the time is up (--max-seconds)");
}

TEST_CASE("watch: an interruption is named, also after the time limit", "[mc][watch]") {
  ExploreOptions options;
  options.bounds.max_seconds = 0;
  std::atomic<bool> is_interrupted = false;
  options.hooks.stop = StopToken::watch(is_interrupted);
  Watch watch(options);
  is_interrupted = true;
  CHECK(watch.stop().stop_requested());
  CHECK(watch.objection(0, 0) == "interrupted");
}

TEST_CASE("watch: the peak memory of all processes counts", "[mc][watch]") {
  ExploreOptions options;
  Watch watch(options);
  const std::uint64_t own = watch.peak_bytes();
  CHECK(own > 0);
  watch.objection(0, 0, 1'000'000);
  watch.objection(0, 0, 5);
  CHECK(watch.peak_bytes() >= own + 1'000'000);
  options.bounds.max_bytes = own / 2;
  Watch limited(options);
  CHECK(limited.objection(0, 0) == "the memory is used up (--max-memory)");
}

TEST_CASE("watch: progress is reported at intervals, as a fraction", "[mc][watch]") {
  ExploreOptions options;
  std::vector<Progress> reported;
  options.hooks.progress = [&](const Progress& progress) { reported.push_back(progress); };
  Watch watch(options);
  watch.estimate([] { return 0.25; });
  while (watch.seconds() < 0.55) {
    watch.objection(3, 4);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  REQUIRE_FALSE(reported.empty());
  CHECK(reported.size() < 4);
  CHECK(reported[0].executions == 3);
  CHECK(reported[0].operations == 4);
  CHECK(reported[0].fraction == 0.25);
  CHECK(reported[0].seconds >= 0.5);
}
