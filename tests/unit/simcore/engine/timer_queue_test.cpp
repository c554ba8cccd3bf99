// SPDX-License-Identifier: MIT
//
// The queue of timers gives them by date, and at one date in the order in which they were added.
#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <random>
#include <utility>

#include "simcore/engine/timer_queue.hpp"

namespace rehearse::engine {
namespace {

struct NumberedTimer {
  TimePoint date;
  std::uint64_t number = 0;
};

TEST_CASE("timers: a queue of runs gives the order of dates and additions", "[engine]") {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    TimerQueue<NumberedTimer> queue;
    std::multimap<std::int64_t, std::uint64_t> sorted;  // equal dates keep the order of their additions
    const std::uint32_t dates = 1 + random() % 8;
    std::int64_t now = 0;
    for (std::uint64_t step = 0; step < 1000; ++step) {
      if (random() % 2 == 0) {
        const std::int64_t date = now + random() % dates;
        queue.push({TimePoint{date}, step});
        sorted.emplace(date, step);
      } else if (!sorted.empty()) {
        const auto [date, number] = *sorted.begin();
        sorted.erase(sorted.begin());
        REQUIRE(queue.front().number == number);
        REQUIRE(queue.pop().date == TimePoint{date});
        now = date;
      }
      REQUIRE(queue.empty() == sorted.empty());
    }
  }
}

}  // namespace
}  // namespace rehearse::engine
