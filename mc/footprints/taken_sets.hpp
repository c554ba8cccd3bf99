// SPDX-License-Identifier: MIT
//
// The sets of messages that an actor can have taken since a base (word_states.hpp) when it takes another one, and the
// values that a word has after them.
//
// What is known of a set:
//   * it has a given number of messages, at most one of each number in each channel;
//   * of a channel *in order*, it has the first numbers, and exactly those before the message that is taken now;
//   * of another channel, it has the required numbers, and not the one that is taken now;
//   * it has at most one message of each origin (origins.hpp).
// A channel is in order if every receive of the actor that accepts its source accepts all its tags.
//
// Doubles: a sum of n terms in any order differs from the exact sum by at most g(n-1) times the sum of the absolute
//          values, with g(k) = k u / (1 - k u) and u = 2^-53.
// Cost:    the number of different values, not that of sets.
// Source:  N. Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition, section 4.2.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "mc/footprints/word_states.hpp"

namespace rehearse::mc::footprints {

// Consecutive numbers of a channel, of which the set has the first ones: at least `least`, at most all. For each
// number, the messages with different contents.
struct TakenRun {
  std::vector<std::vector<MessageId>> numbers;
  std::uint32_t least = 0, most = 0;
};

class TakenSets {
 public:
  TakenSets(std::uint32_t count, std::vector<TakenRun> runs);

  // Whether there is such a set.
  bool is_possible() const;

  // The values of the word after all these sets. Empty: nothing is known, or there are more than `most`. Of a double:
  // all values that additions in any order and with rounding can lead to.
  std::optional<std::set<Value>> values(Word word, const WordFunction& function, std::size_t most) const;

 private:
  // Of the sets: the sums without rounding, the sums of absolute values, and the numbers of additions.
  struct RealRange {
    long double least = 0, most = 0, magnitude = 0;
    std::uint64_t additions = 0;
    void join(const RealRange& other);
  };
  std::optional<std::set<Value>> integers(Word word, const WordFunction& function, std::size_t most) const;
  std::optional<RealRange> range(const WordFunction& function) const;

  std::uint32_t count_;
  std::vector<TakenRun> runs_;
};

// The sets that fit to several descriptions.
class PossibleSets {
 public:
  void add(TakenSets sets) { all_.push_back(std::move(sets)); }
  bool is_possible() const;
  // Perhaps more values than those of the sets that fit to all of them. Otherwise as TakenSets::values().
  std::optional<std::set<Value>> values(Word word, const WordFunction& function, std::size_t most) const;

 private:
  std::vector<TakenSets> all_;
};

}  // namespace rehearse::mc::footprints
