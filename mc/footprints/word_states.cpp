// SPDX-License-Identifier: MIT
//
// The union of two sets of states: a statement stays if both make it.
#include "mc/footprints/word_states.hpp"

#include <algorithm>

#include "simcore/support/assert.hpp"

namespace rehearse::mc::footprints {

namespace {

// True: a statement has failed.
bool join_constants(WordFunction& into, const WordFunction& from) {
  if (!into.constant || into.constant == from.constant) return false;
  into.constant.reset();
  return true;
}

// The amounts of both, where the messages that both may have taken agree. True: something has changed.
bool join_sums(WordFunction& into, const std::set<MessageId>& known, const WordFunction& from,
               const std::set<MessageId>& new_ones, bool compares) {
  if (!into.is_sum) return false;
  bool agrees = from.is_sum && from.at_base == into.at_base;
  bool changes = false;
  for (const MessageId message : new_ones) {
    const Value amount = from.amount_of(message);
    if (!known.contains(message)) {
      into.set_amount(message, amount);
      changes = changes || amount != 0;
    } else if (into.amount_of(message) != amount) {
      agrees = agrees && !compares;
    }
  }
  if (agrees) return changes;
  into.is_sum = false;
  into.amounts.clear();
  return true;
}

}  // namespace

bool join(Needs& into, const Needs& other) {
  REHEARSE_ASSERT(into.size() == other.size(), "needs of equally many actors");
  bool changes = false;
  for (std::size_t actor = 0; actor < into.size(); ++actor) {
    changes = changes || other[actor] < into[actor];
    into[actor] = std::min(into[actor], other[actor]);
  }
  return changes;
}

bool WordStates::join(const WordStates& other, const JoinRules& rules) {
  REHEARSE_ASSERT(count == other.count, "states with equally many messages");
  bool grows = rules.compares_needs && footprints::join(needs, other.needs);
  for (auto& [word, function] : words) {
    const auto found = other.words.find(word);
    static const WordFunction nothing_known{false, 0, {}, {}};
    const WordFunction& from = found == other.words.end() ? nothing_known : found->second;
    grows = join_sums(function, may_be_taken, from, other.may_be_taken, rules.compares_amounts) || grows;
    if (rules.compares_constants) grows = join_constants(function, from) || grows;
  }
  for (const MessageId message : other.may_be_taken) grows = may_be_taken.insert(message).second || grows;
  return grows;
}

}  // namespace rehearse::mc::footprints
