// SPDX-License-Identifier: MIT
//
// The union of two sets of states: a statement stays if both make it.
#include "mc/footprints/word_states.hpp"

#include <algorithm>
#include <bit>

#include "simcore/support/assert.hpp"

namespace rehearse::mc::footprints {

namespace {

// True: a statement has failed.
bool join_constants(WordFunction& into, const WordFunction& from) {
  if (!into.constant || into.constant == from.constant) return false;
  into.constant.reset();
  return true;
}

// The amounts of both, where the messages that both may have taken agree. True: something has changed. Messages without
// an amount add nothing.
bool join_sums(WordFunction& into, const std::set<MessageId>& known, const WordFunction& from,
               const std::set<MessageId>& new_ones, bool compares) {
  if (!into.is_sum) return false;
  bool agrees = from.is_sum && from.at_base == into.at_base;
  bool changes = false;
  if (compares)
    for (const auto& [message, amount] : into.amounts)
      agrees = agrees && (!new_ones.contains(message) || from.amounts.contains(message));
  for (const auto& [message, amount] : from.amounts) {
    if (!new_ones.contains(message)) continue;
    if (!known.contains(message)) {
      into.set_amount(message, amount);
      changes = true;
    } else if (compares && into.amount(message) != amount) {
      agrees = false;
    }
  }
  if (agrees) return changes;
  into.is_sum = false;
  into.amounts.clear();
  return true;
}

}  // namespace

Amount amount_of(const RealAmount& real) { return {std::bit_cast<Value>(real.amount), real.magnitude, real.additions}; }

bool join(Needs& into, const Needs& other) {
  REHEARSE_ASSERT(into.size() == other.size(), "needs of equally many actors");
  bool changes = false;
  for (std::size_t actor = 0; actor < into.size(); ++actor) {
    changes = changes || other[actor] < into[actor];
    into[actor] = std::min(into[actor], other[actor]);
  }
  return changes;
}

bool WordStates::join(const WordStates& other, const std::function<Value(Word)>& initial, const JoinRules& rules) {
  REHEARSE_ASSERT(count == other.count, "states with equally many messages");
  bool grows = rules.compares_needs && footprints::join(needs, other.needs);
  for (const auto& [word, function] : other.words)
    if (!words.contains(word)) words.emplace(word, always(initial(word)));
  for (auto& [word, function] : words) {
    const auto found = other.words.find(word);
    const WordFunction unlisted = found == other.words.end() ? always(initial(word)) : WordFunction();
    const WordFunction& from = found == other.words.end() ? unlisted : found->second;
    grows = join_sums(function, may_be_taken, from, other.may_be_taken, rules.compares_amounts) || grows;
    if (rules.compares_constants) grows = join_constants(function, from) || grows;
  }
  for (const MessageId message : other.may_be_taken) grows = may_be_taken.insert(message).second || grows;
  return grows;
}

}  // namespace rehearse::mc::footprints
