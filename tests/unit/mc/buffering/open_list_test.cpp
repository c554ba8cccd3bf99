// SPDX-License-Identifier: MIT
//
// Open lists show what is open, in order, and settled things only in the middle and for a while.
#include "mc/buffering/open_list.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "simcore/support/random.hpp"

using namespace rehearse;
using namespace rehearse::mc;
using namespace rehearse::mc::buffering;

namespace {

std::vector<int> shown_by(const OpenList<int>& list) { return {list.begin(), list.end()}; }

}  // namespace

TEST_CASE("open list: settled events at the front are skipped", "[mc][buffering]") {
  OpenList<int> list;
  for (int i = 0; i < 6; ++i) list.add(i);
  const std::set<int> settled{0, 1, 3};
  list.skip_settled([&](int i) { return settled.contains(i); });
  CHECK(shown_by(list) == std::vector<int>{2, 3, 4, 5});
}

TEST_CASE("open list: all settled events are removed when they are more than half", "[mc][buffering]") {
  OpenList<int> list;
  for (int i = 0; i < 4; ++i) list.add(i);
  std::set<int> settled;
  const auto is_settled = [&](int i) { return settled.contains(i); };
  for (const int i : {1, 3}) {
    settled.insert(i);
    list.note_settled(is_settled);
  }
  CHECK(shown_by(list) == std::vector<int>{0, 1, 2, 3});
  settled.insert(2);
  list.note_settled(is_settled);
  CHECK(shown_by(list) == std::vector<int>{0});
}

TEST_CASE("open list: a cleared list is like a new one", "[mc][buffering]") {
  OpenList<int> list;
  for (int i = 0; i < 3; ++i) list.add(i);
  list.skip_settled([](int) { return true; });
  list.clear();
  list.add(7);
  CHECK(shown_by(list) == std::vector<int>{7});
}

TEST_CASE("open list: it shows all open events in order, and at most as many settled ones", "[mc][buffering][fuzz]") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SplitMix chance(seed);
    OpenList<int> list;
    std::set<int> open, settled;
    const auto is_settled = [&](int i) { return settled.contains(i); };
    for (int i = 0; i < 200; ++i) {
      if (chance.below(5) < 3 || open.empty()) {
        list.add(i);
        open.insert(i);
      } else {
        const auto which = std::next(open.begin(), static_cast<std::ptrdiff_t>(chance.below(open.size())));
        settled.insert(*which);
        open.erase(which);
        if (chance.below(2) == 0) list.skip_settled(is_settled);
        list.note_settled(is_settled);
      }
      std::vector<int> shown = shown_by(list);
      REQUIRE(std::is_sorted(shown.begin(), shown.end()));
      REQUIRE(shown.size() <= 2 * open.size() + 1);
      std::erase_if(shown, is_settled);
      REQUIRE(std::equal(shown.begin(), shown.end(), open.begin(), open.end()));
    }
  }
}
