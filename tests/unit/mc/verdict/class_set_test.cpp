// SPDX-License-Identifier: MIT
//
// The set of classes says what is new of a class, however many there are.
#include "mc/verdict/class_set.hpp"

#include <catch2/catch.hpp>

#include "simcore/support/random.hpp"

using namespace rehearse;
using namespace rehearse::mc;
using namespace rehearse::mc::verdict;
using mc::history::Hash128;

TEST_CASE("class set: each mark of a class is new once, also after the set has grown", "[mc]") {
  SplitMix chance(7);
  std::vector<Hash128> keys;
  for (int i = 0; i < 20'000; ++i) keys.push_back({chance.next() << 2, chance.next()});
  keys.push_back({0, 0});
  keys.push_back({4, 0});
  keys.push_back({0, ~0ull});  // its place is the last of the table, the next one's the first
  keys.push_back({4, ~0ull});
  keys.push_back({8, ~0ull});
  ClassSet set;
  for (const Hash128& key : keys) CHECK(set.mark(key, ClassSet::counted) == ClassSet::counted);
  for (const Hash128& key : keys) {
    CHECK(set.mark(key, ClassSet::counted) == 0);
    CHECK(set.mark(key, ClassSet::counted | ClassSet::explored) == ClassSet::explored);
    CHECK(set.mark(key, ClassSet::explored) == 0);
  }
  CHECK(set.size() == keys.size());
  std::size_t visited = 0;
  set.for_each([&](const Hash128& kept) { visited += ClassSet::marks_of(kept) == 3; });
  CHECK(visited == keys.size());
}
