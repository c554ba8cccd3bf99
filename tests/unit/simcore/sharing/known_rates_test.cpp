// SPDX-License-Identifier: MIT
//
// Solutions of sets of flows are found again by the words of the set, and by nothing else.
#include <catch2/catch.hpp>
#include <cstdint>
#include <random>
#include <vector>

#include "simcore/sharing/known_rates.hpp"
#include "simcore/sharing/word_hash.hpp"

namespace known_rates_test {
namespace {

using namespace rehearse::sharing;
using Words = std::vector<KnownRates::Word>;

std::vector<KnownRates::Flow> flows(std::size_t size, double level) {
  std::vector<KnownRates::Flow> made(size);
  for (std::size_t i = 0; i < size; ++i) made[i] = {level + static_cast<double>(i), static_cast<std::uint32_t>(i), 0};
  return made;
}

std::uint64_t hash_of(const Words& words) {
  std::uint64_t hash = 1;
  for (const KnownRates::Word word : words) hash = mixed(hash, word);
  return hash;
}

TEST_CASE("known rates: sets with equal hashes and other words are different sets", "[sharing]") {
  KnownRates known;
  const Words one{1, 2, 3}, other{1, 2, 4}, longer{1, 2, 3, 4};
  CHECK(known.find(one, 7, 2).flows.empty());
  known.keep(one, 7, flows(2, 10), 1);
  known.keep(other, 7, flows(2, 20), 2);
  REQUIRE(known.find(one, 7, 2).flows.size() == 2);
  CHECK(known.find(one, 7, 2).flows[1].level == 11);
  CHECK(known.find(one, 7, 2).parts == 1);
  REQUIRE(known.find(other, 7, 2).flows.size() == 2);
  CHECK(known.find(other, 7, 2).flows[1].level == 21);
  CHECK(known.find(other, 7, 2).parts == 2);
  CHECK(known.find(longer, 7, 2).flows.empty());
  known.clear();
  CHECK(known.find(one, 7, 2).flows.empty());
}

TEST_CASE("known rates: a set remembers which set is left when a flow of it ends", "[sharing]") {
  KnownRates known;
  const Words three{1, 2, 3}, two{1, 2};
  const KnownRates::Place all = known.keep(three, hash_of(three), flows(3, 10), 2);
  REQUIRE(all != 0);
  CHECK(known.find(three, hash_of(three), 3).place == all);
  for (std::uint32_t flow = 0; flow < 3; ++flow) CHECK(known.left_by(all, {flow}).flows.empty());
  const KnownRates::Place rest = known.keep(two, hash_of(two), flows(2, 20), 1);
  known.note_left(all, {1}, rest);
  CHECK(known.left_by(all, {0}).flows.empty());
  CHECK(known.left_by(all, {2}).flows.empty());
  CHECK(known.left_by(all, {1, 0}).flows.empty());
  const KnownRates::Solution left = known.left_by(all, {1});
  REQUIRE(left.flows.size() == 2);
  CHECK(left.flows[1].level == 21);
  CHECK(left.parts == 1);
  CHECK(left.place == rest);
  known.note_left(all, {1, 2}, all);
  CHECK(known.left_by(all, {1}).flows.empty());
  CHECK(known.left_by(all, {1, 2}).place == all);
  CHECK(known.find(three, hash_of(three), 3).flows[2].level == 12);
}

TEST_CASE("known rates: many sets of many sizes are all found, until memory is used up", "[sharing]") {
  KnownRates known;
  std::mt19937 random(5);
  std::vector<Words> sets;
  while (!known.is_full()) {
    Words words{static_cast<KnownRates::Word>(sets.size())};
    for (std::uint32_t i = random() % 40; i > 0; --i) words.push_back(random());
    known.keep(words, hash_of(words), flows(words.size(), static_cast<double>(sets.size())), 1);
    sets.push_back(words);
  }
  CHECK(sets.size() > 5000);
  std::size_t right = 0;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const auto found = known.find(sets[i], hash_of(sets[i]), sets[i].size()).flows;
    right += found.size() == sets[i].size() && found.back().level == static_cast<double>(i + sets[i].size() - 1);
  }
  CHECK(right == sets.size());
}

TEST_CASE("known rates: of the sets with many flows, the last one is kept", "[sharing]") {
  KnownRates known;
  const Words small{9}, one(5000, 1), other(5000, 2);
  known.keep(small, hash_of(small), flows(1, 1), 1);
  known.keep(one, hash_of(one), flows(2500, 100), 1);
  CHECK(known.find(one, hash_of(one), 2500).flows.size() == 2500);
  known.keep(other, hash_of(other), flows(2500, 200), 3);
  CHECK(known.find(one, hash_of(one), 2500).flows.empty());
  REQUIRE(known.find(other, hash_of(other), 2500).flows.size() == 2500);
  CHECK(known.find(other, hash_of(other), 2500).flows[2499].level == 2699);
  CHECK(known.find(small, hash_of(small), 1).flows.size() == 1);
}

}  // namespace
}  // namespace known_rates_test
