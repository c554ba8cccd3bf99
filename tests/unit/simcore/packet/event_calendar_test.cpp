// SPDX-License-Identifier: MIT
//
// The calendar of events beside a heap, with random events.
#include "simcore/packet/event_calendar.hpp"

#include <catch2/catch.hpp>

#include "simcore/packet/event_heap.hpp"
#include "simcore/support/random.hpp"

namespace event_calendar_test {

using namespace rehearse;
using namespace rehearse::packet;

namespace {

class BesideHeap {
 public:
  explicit BesideHeap(std::uint64_t seed) : random_(seed) {}

  void push(Picoseconds date) {
    const Event event{date, order_++, static_cast<std::uint32_t>(random_.next())};
    calendar_.push(event);
    heap_.push(event);
  }
  void pop() {
    calendar_.pop();
    heap_.pop();
  }
  void replace_top(Picoseconds date) {
    const Event event{date, order_++, 7};
    calendar_.replace_top(event);
    heap_.replace_top(event);
  }
  bool is_same() const {
    if (calendar_.empty() != heap_.empty() || calendar_.next_date() != heap_.next_date()) return false;
    return heap_.empty() ||
           (calendar_.top().order == heap_.top().order && calendar_.top().subject == heap_.top().subject);
  }
  bool empty() const { return heap_.empty(); }
  Picoseconds now() const { return heap_.next_date(); }
  std::uint64_t draw(std::uint64_t below) { return random_.next() % below; }

 private:
  SplitMix random_;
  std::uint32_t order_ = ~0u - 1000;  // wraps around on the way
  EventCalendar calendar_;
  EventHeap heap_;
};

// Events of very different density: of packets, of timers, and many at the same date.
TEST_CASE("calendar of events: it has the order of a heap") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    BesideHeap both(seed);
    const int magnitude = 5 + static_cast<int>(seed) * 2;
    for (std::uint64_t i = 0; i < 30'000; ++i) {
      const Picoseconds now = both.empty() ? static_cast<Picoseconds>(both.draw(1'000'000)) : both.now();
      const auto spread = std::uint64_t{1} << (both.draw(50) == 0 ? 40 : magnitude);
      const auto date = now + static_cast<Picoseconds>(both.draw(8) == 0 ? 0 : both.draw(spread));
      const std::uint64_t choice = both.draw(i < 20'000 ? 5 : 12);
      if (both.empty() || choice < 3) both.push(date);
      else if (choice == 3) both.replace_top(date);
      else both.pop();
      INFO("seed " << seed << ", step " << i);
      REQUIRE(both.is_same());
    }
    while (!both.empty()) {
      both.pop();
      REQUIRE(both.is_same());
    }
  }
}

// A change of a link can ask for a date before the next event.
TEST_CASE("calendar of events: it takes a date before the earliest") {
  BesideHeap both(1);
  both.push(5'000'000'000);
  both.push(4'000'000'000);
  both.push(17);
  both.push(3);
  for (int i = 0; i < 4; ++i) {
    REQUIRE(both.is_same());
    both.pop();
  }
  CHECK(both.empty());
}

}  // namespace

}  // namespace event_calendar_test
