// SPDX-License-Identifier: MIT
//
// The values of sums after sets of messages, against all sets and all orders.
#include "mc/footprints/taken_sets.hpp"

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>
#include <random>

namespace taken_sets_test {

using namespace rehearse::mc::footprints;

namespace {

constexpr Word real = real_word | 64, integer = 64;

TakenSets all_of(std::uint32_t messages) {
  std::vector<TakenRun> runs;
  for (MessageId message = 0; message < messages; ++message) runs.push_back({{{message}}, 0, 1});
  return {messages, std::move(runs)};
}

}  // namespace

TEST_CASE("taken sets: sums of doubles have the values of all orders", "[mc][footprints]") {
  std::mt19937 random(5);
  for (int round = 0; round < 60; ++round) {
    const std::uint32_t messages = 2 + random() % 5;
    std::vector<double> amounts;
    WordFunction word;
    const double base = static_cast<double>(random() % 3) / 7;
    word.at_base = std::bit_cast<Value>(base);
    for (MessageId message = 0; message < messages; ++message) {
      const double scale = round % 3 == 0 ? 1 : std::ldexp(1, static_cast<int>(random() % 12));
      const double amount = (static_cast<double>(random()) / 4e9 - (round % 2 == 0 ? 0 : 0.3)) * scale;
      amounts.push_back(amount);
      word.set_amount(message, amount_of({amount, std::abs(amount), 1}));
    }
    const auto values = all_of(messages).values(real, word, 5000);
    REQUIRE(values);
    std::vector<std::uint32_t> order(messages);
    std::iota(order.begin(), order.end(), 0);
    do {
      double sum = base;
      for (const std::uint32_t message : order) sum += amounts[message];
      CHECK(values->contains(std::bit_cast<Value>(sum)));
    } while (std::ranges::next_permutation(order).found);
  }
}

TEST_CASE("taken sets: a sum of doubles that may overflow, or with too many values, is not known", "[mc][footprints]") {
  WordFunction word;
  word.set_amount(0, amount_of({1e308, 1e308, 1}));
  word.set_amount(1, amount_of({1e308, 1e308, 1}));
  CHECK_FALSE(all_of(2).values(real, word, 5000));
  WordFunction cancelled;
  cancelled.set_amount(0, amount_of({1e16, 1e16, 1}));
  cancelled.set_amount(1, amount_of({-1e16, 1e16, 1}));
  CHECK_FALSE(all_of(2).values(real, cancelled, 100));
}

TEST_CASE("taken sets: halves of words are added modulo 2^32", "[mc][footprints]") {
  WordFunction word;
  word.at_base = 0xffffffff;
  word.set_amount(0, {2, 0, 0});
  CHECK(all_of(1).values(integer | half_word, word, 10) == std::set<Value>{1});
  CHECK(all_of(1).values(integer, word, 10) == std::set<Value>{0x100000001});
}

TEST_CASE("taken sets: a message adds one of its amounts", "[mc][footprints]") {
  WordFunction word;
  word.at_base = 10;
  word.amounts[0] = {Amount(), {1, 0, 0}};
  word.amounts[1] = {{2, 0, 0}, {4, 0, 0}};
  CHECK(all_of(3).values(integer, word, 10) == std::set<Value>{12, 13, 14, 15});
  CHECK_FALSE(all_of(3).values(integer, word, 3));
}

// Messages 0 and 2 are in channel 0, message 1 is in channel 1. Messages 0 and 1 exclude each other.
TEST_CASE("taken sets: values are those of all descriptions", "[mc][footprints]") {
  WordFunction word;
  for (const MessageId message : {0u, 1u, 2u}) word.set_amount(message, {Value{1} << message, 0, 0});
  const TakenSets by_channel(2, {{{{0}, {2}}, 0, 2}, {{{1}}, 0, 1}}), by_origin(2, {{{{0, 1}}, 0, 1}, {{{2}}, 0, 1}});
  PossibleSets both;
  both.add(by_channel);
  CHECK(both.values(integer, word, 10) == std::set<Value>{3, 5});
  both.add(by_origin);
  CHECK(both.values(integer, word, 10) == std::set<Value>{5});
  both.add(TakenSets(2, {{{{0}}, 0, 1}}));
  CHECK_FALSE(both.is_possible());
}

}  // namespace taken_sets_test
