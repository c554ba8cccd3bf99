// SPDX-License-Identifier: MIT
//
// A set of local states of one actor, word by word: what the messages that the actor has taken say about each word.
//
// A *base* is a point of which all states have taken the same messages. After it, the actor has taken `count` messages
// out of `may_be_taken`, in any order. Of a word, two statements are known, each of which can fail:
//   sum       its value is the value at the base, plus an amount for each message that was taken (modulo 2^64 or 2^32,
//             or in doubles, in the order of the messages). A word that one message stores, or that each message
//             increases by one, is such a sum, too. The amount of a message is one of a few, because it may depend on
//             the messages before it: a counter that ends at a bound grows by one or not at all.
//   constant  it has this value
// If both have failed, nothing is known of it. A word that is not listed is as after the start of the actor.
//
// Threads: none.
// Source:  docs/design/exploration.md, "Footprints: nets that look into steps".
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "mc/footprints/machine.hpp"

namespace rehearse::mc::footprints {

using MessageId = std::uint32_t;

// What a message adds to a word. Of a double: the bits of RealAmount::amount.
struct Amount {
  Value value = 0;
  double magnitude = 0;
  std::uint32_t additions = 0;
  bool is_nothing() const { return value == 0 && additions == 0; }
  bool operator==(const Amount&) const = default;
};
Amount amount_of(const RealAmount& real);

using Amounts = std::vector<Amount>;            // different ones
inline constexpr std::size_t most_amounts = 4;  // of one message, of a sum

struct WordFunction {
  bool is_sum = true;
  Value at_base = 0;                     // of a sum
  std::map<MessageId, Amounts> amounts;  // of a sum: what a message may have added; not listed: nothing
  std::optional<Value> constant;

  const Amounts& amounts_of(MessageId message) const;
  void set_amount(MessageId message, const Amount& amount);
};

// A word of which all states have this value.
inline WordFunction always(Value value) { return {true, value, {}, value}; }
inline WordFunction nothing_known() { return {false, 0, {}, {}}; }

// The functions of words, in the order of the words. Copies share what they have in common.
class WordFunctions {
 public:
  using Entry = std::pair<Word, std::shared_ptr<const WordFunction>>;

  const WordFunction* find(Word word) const;  // null: not listed
  void put(Word word, WordFunction function);
  std::span<const Entry> entries() const { return entries_; }
  void assign(std::vector<Entry> entries) { entries_ = std::move(entries); }  // in order

 private:
  std::vector<Entry> entries_;
};

// Rules that can be left out, to show in tests that each is necessary.
struct JoinRules {
  bool compares_constants = true;  // false: the first constant stays
  bool joins_amounts = true;       // false: the first amount of a message stays
  bool compares_needs = true;      // false: what the first state needs is needed for all
};

// By actor: at least so many messages it has taken before, in every execution.
using Needs = std::vector<std::uint32_t>;
bool join(Needs& into, const Needs& other);  // true: less is needed now

struct WordStates {
  std::uint32_t count = 0;
  std::set<MessageId> may_be_taken;
  WordFunctions words;
  Needs needs;

  // Also holds the states of `other`, which has taken equally many messages since the same base. `initial`: what words
  // that are not listed are. True: it has grown.
  bool join(const WordStates& other, const std::function<Value(Word)>& initial, const JoinRules& rules);
};

}  // namespace rehearse::mc::footprints
