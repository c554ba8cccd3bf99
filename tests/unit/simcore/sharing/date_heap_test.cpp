// SPDX-License-Identifier: MIT
//
// The heap of dates gives things in the order of their dates and orders, whatever runs they form.
#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "simcore/sharing/date_heap.hpp"

namespace rehearse::sharing {
namespace {

using Entry = std::tuple<std::int64_t, std::uint64_t, std::uint32_t>;  // date, order, thing

// The same things in a sorted set.
class SortedDates {
 public:
  void set(std::uint32_t thing, std::int64_t date, std::uint64_t order) {
    remove(thing);
    entries_.insert({date, order, thing});
    of_thing_[thing] = {date, order, thing};
  }
  void remove(std::uint32_t thing) {
    const auto found = of_thing_.find(thing);
    if (found == of_thing_.end()) return;
    entries_.erase(found->second);
    of_thing_.erase(found);
  }
  bool empty() const { return entries_.empty(); }
  const Entry& first() const { return *entries_.begin(); }
  bool is_first_alone() const {
    const auto second = std::next(entries_.begin());
    return second == entries_.end() || std::get<0>(*second) != std::get<0>(first());
  }

 private:
  std::set<Entry> entries_;
  std::map<std::uint32_t, Entry> of_thing_;
};

TEST_CASE("dates: a heap of runs gives the order of a sorted set", "[sharing]") {
  std::mt19937 random(5);
  for (int round = 0; round < 300; ++round) {
    DateHeap heap;
    SortedDates sorted;
    const std::uint32_t things = 1 + random() % 40, dates = 1 + random() % 6;
    const bool keeps_order = random() % 2 == 0;  // otherwise an old order comes back, as that of a resumed activity
    std::int64_t now = 0;
    for (std::uint64_t step = 0; step < 400; ++step) {
      if (random() % 3 != 0) {
        const std::uint32_t thing = random() % things;
        const std::int64_t date = now + random() % dates;
        // Orders are unique.
        const bool is_new = keeps_order || random() % 4 != 0;
        const std::uint64_t order = is_new ? 1000 * step : 1000 * (random() % (step + 1)) + 1 + step;
        heap.set(thing, TimePoint{date}, order);
        sorted.set(thing, date, order);
        CHECK(heap.date(thing) == TimePoint{date});
      } else if (random() % 4 == 0) {
        const std::uint32_t thing = random() % things;
        heap.remove(thing);
        sorted.remove(thing);
      } else if (!sorted.empty()) {
        now = std::get<0>(sorted.first());
        REQUIRE(heap.first() == std::get<2>(sorted.first()));
        const std::uint32_t first = heap.first();
        heap.remove(first);
        sorted.remove(first);
      }
      if (!sorted.empty() && random() % 8 == 0) {
        now = std::get<0>(sorted.first());
        std::vector<std::uint32_t> taken;
        heap.take_first(taken);
        std::set<std::uint32_t> others(taken.begin(), taken.end());
        REQUIRE(others.size() == taken.size());
        for (; !sorted.empty() && std::get<0>(sorted.first()) == now; sorted.remove(std::get<2>(sorted.first())))
          REQUIRE(others.erase(std::get<2>(sorted.first())) == 1);
        REQUIRE(others.empty());
      }
      REQUIRE(heap.empty() == sorted.empty());
      if (sorted.empty() || random() % 2 == 0) continue;  // a removed thing keeps its place until somebody looks
      REQUIRE(heap.first() == std::get<2>(sorted.first()));
      REQUIRE(heap.first_date() == TimePoint{std::get<0>(sorted.first())});
      REQUIRE(heap.is_first_alone() == sorted.is_first_alone());
    }
  }
}

}  // namespace
}  // namespace rehearse::sharing
