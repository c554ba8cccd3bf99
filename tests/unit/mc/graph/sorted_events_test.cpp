// SPDX-License-Identifier: MIT
//
// Sorted lists of events hold what a set would hold, whatever is added and removed where.
#include "mc/graph/sorted_events.hpp"

#include <catch2/catch.hpp>
#include <iterator>
#include <set>

#include "simcore/support/random.hpp"

using namespace rehearse;
using namespace rehearse::mc;
using namespace rehearse::mc::graph;

namespace {

std::vector<EventIndex> list_of(const SortedEvents& events) { return {events.begin(), events.end()}; }

}  // namespace

TEST_CASE("sorted events: additions at the end and removals at the front keep the order", "[mc][graph]") {
  SortedEvents events;
  CHECK(events.empty());
  for (EventIndex i = 0; i < 10; ++i) events.add(i * 2);
  for (EventIndex i = 0; i < 9; ++i) {
    CHECK(events.front() == i * 2);
    events.erase(i * 2);
  }
  CHECK(list_of(events) == std::vector<EventIndex>{18});
  events.add(20);  // makes use of the room in front
  CHECK(list_of(events) == std::vector<EventIndex>{18, 20});
  events.remove_last();
  events.remove_last();
  CHECK(events.empty());
}

TEST_CASE("sorted events: an inserted event gets its place at either end and in the middle", "[mc][graph]") {
  SortedEvents events;
  for (const EventIndex i : {1u, 3u, 5u, 7u, 9u}) events.add(i);
  for (const EventIndex i : {1u, 5u, 9u, 3u, 7u}) {
    const std::vector<EventIndex> before = list_of(events);
    events.erase(i);
    CHECK(list_of(events).size() == before.size() - 1);
    events.insert(i);
    CHECK(list_of(events) == before);
  }
}

TEST_CASE("sorted events: after any changes they are those of a set", "[mc][graph][fuzz]") {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SplitMix chance(seed);
    SortedEvents events;
    std::set<EventIndex> judge;
    std::vector<EventIndex> gone;
    EventIndex next = 0;
    for (int step = 0; step < 300; ++step) {
      switch (chance.below(4)) {
        case 0:
        case 1:
          judge.insert(next);
          events.add(next);
          next += 1 + static_cast<EventIndex>(chance.below(3));
          break;
        case 2: {
          if (judge.empty()) break;
          const auto which = std::next(judge.begin(), static_cast<std::ptrdiff_t>(chance.below(judge.size())));
          gone.push_back(*which);
          events.erase(*which);
          judge.erase(which);
          break;
        }
        case 3: {
          if (gone.empty()) break;
          std::swap(gone[chance.below(gone.size())], gone.back());
          events.insert(gone.back());
          judge.insert(gone.back());
          gone.pop_back();
        }
      }
      REQUIRE(list_of(events) == std::vector<EventIndex>(judge.begin(), judge.end()));
      REQUIRE(events.empty() == judge.empty());
      if (!judge.empty()) REQUIRE(events.front() == *judge.begin());
    }
  }
}
