// SPDX-License-Identifier: MIT
//
// Maps whose copies share their entries, against std::map.
#include "smpi/rma_model/shared_map.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <random>

namespace shared_map_test {

using rehearse::smpi::model::SharedMap;

namespace {

using Map = SharedMap<int, int>;
using Wanted = std::map<int, int>;

bool agree(const Map& map, const Wanted& wanted) {
  return map.size() == wanted.size() &&
         std::equal(map.begin(), map.end(), wanted.begin(), wanted.end(), [](const auto& entry, const auto& other) {
           return entry.first == other.first && entry.second == other.second;
         });
}

}  // namespace

TEST_CASE("shared maps: random changes of a map and its copies agree with std::map") {
  std::mt19937 random(5);
  Map map, copy;
  Wanted wanted, copy_wanted;
  for (int step = 0; step < 20000; ++step) {
    const int key = static_cast<int>(random() % 600);
    const int value = static_cast<int>(random());
    switch (random() % 6) {
      case 0: REQUIRE(map.erase(key) == (wanted.erase(key) > 0)); break;
      case 1:
        map.assign(key, value);
        wanted[key] = value;
        break;
      case 2:
        map[key] += 3;
        wanted[key] += 3;
        break;
      default: REQUIRE(map.emplace(key, value) == wanted.emplace(key, value).second); break;
    }
    const auto at = map.lower_bound(key + 1);
    const auto wanted_at = wanted.lower_bound(key + 1);
    REQUIRE((at == map.end()) == (wanted_at == wanted.end()));
    if (at != map.end()) REQUIRE(at->first == wanted_at->first);
    REQUIRE(map.contains(key) == wanted.contains(key));
    if (random() % 500 != 0) continue;
    REQUIRE(agree(copy, copy_wanted));
    copy = map;
    copy_wanted = wanted;
    if (random() % 4 == 0) map = {}, wanted = {};
  }
  CHECK(agree(map, wanted));
  CHECK(agree(copy, copy_wanted));
}

TEST_CASE("shared maps: ascending keys and keys in the middle keep their order") {
  Map map;
  Wanted wanted;
  for (const int from : {1000000, 0, 500000})
    for (int i = 0; i < 1000; ++i) {
      map.emplace(from + i, i);
      wanted.emplace(from + i, i);
    }
  CHECK(agree(map, wanted));
}

}  // namespace shared_map_test
