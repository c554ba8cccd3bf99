// SPDX-License-Identifier: MIT
//
// See states_after.hpp.
#include "mc/footprints/states_after.hpp"

#include <bit>
#include <utility>

#include "mc/footprints/net_messages.hpp"

namespace rehearse::mc::footprints {

namespace {

// The sum is another one from the base on: only integers can say so.
void move_base(WordFunction& function, Word word, const Amount& amount) {
  if (amount.is_nothing()) return;
  if (is_real(word)) function = {false, 0, {}, function.constant};
  else function.at_base = truncated(word, function.at_base + amount.value);
}

// One addition, rounded to nearest.
std::optional<Value> after_additions(std::optional<Value> before, const RealAmount& more) {
  if (!before || more.additions == 0) return before;
  if (more.additions > 1) return {};
  return std::bit_cast<Value>(std::bit_cast<double>(*before) + more.amount);
}

// The message has changed the sum by the amount. Without one, the sum is lost.
void set_change(WordFunction& function, Word word, MessageId message, const std::optional<Amount>& amount) {
  if (!function.is_sum) return;
  if (!amount) function = {false, 0, {}, function.constant};
  else if (message != none) function.set_amount(message, *amount);
  else move_base(function, word, *amount);
}

void add(WordFunction& function, Word word, MessageId message, std::optional<Value> before, std::int64_t amount,
         const RealAmount& real) {
  if (is_real(word)) function.constant = after_additions(before, real);
  else if (before) function.constant = truncated(word, *before + static_cast<Value>(amount));
  else function.constant.reset();
  set_change(function, word, message,
             is_real(word) ? amount_of(real) : Amount{truncated(word, static_cast<Value>(amount)), 0, 0});
}

// What the step does to the word. `before`: its value in all states that the step starts from, if that is known.
void change(WordFunction& function, Word word, MessageId message, std::optional<Value> before, const Effect& effect) {
  if (const auto written = effect.writes.find(word); written != effect.writes.end()) {
    const Value after = written->second;
    std::optional<Amount> amount;
    if (before && (!is_real(word) || *before == after)) amount = Amount{truncated(word, after - *before), 0, 0};
    function.constant = after;
    return set_change(function, word, message, amount);
  }
  const auto added = effect.sums.find(word);
  const auto added_real = effect.real_sums.find(word);
  add(function, word, message, before, added == effect.sums.end() ? 0 : added->second,
      added_real == effect.real_sums.end() ? RealAmount() : added_real->second);
}

}  // namespace

WordStates states_after(const StatesBefore& from, MessageId message, const Effect& effect, bool moves_statements) {
  WordStates after = from.states;
  if (message != none) {
    ++after.count;
    after.may_be_taken.insert(message);
  }
  const auto function_of = [&](Word word) {
    const WordFunction* function = from.states.words.find(word);
    return function == nullptr ? always(from.initial(word)) : *function;
  };
  const auto value_before = [&](Word word, const WordFunction& function) {
    const auto found = from.chosen.find(word);
    return found != from.chosen.end() ? std::optional(found->second) : function.constant;
  };
  // Also of words that the step leaves, and of which something was known about the message.
  const auto change_word = [&](Word word) {
    WordFunction function = function_of(word);
    std::optional<Value> before = value_before(word, function);  // in all these states
    if (!before && effect.writes.contains(word)) before = from.only_value(word, function);
    change(function, word, message, before, effect);
    after.words.put(word, std::move(function));
  };
  for (const auto& [word, function] : from.states.words.entries())
    if (message != none && function->amounts.contains(message)) change_word(word);
  for (const auto& [word, value] : from.chosen) change_word(word);
  for (const auto& [word, value] : effect.writes) change_word(word);
  for (const auto& [word, amount] : effect.sums) change_word(word);
  for (const auto& [word, amount] : effect.real_sums) change_word(word);
  for (const auto& [word, move] : effect.moves) {
    const Word source = moves_statements ? move.from : word;
    WordFunction function = function_of(source);
    add(function, word, message, value_before(source, function), move.amount, move.real);
    after.words.put(word, std::move(function));
  }
  return after;
}

}  // namespace rehearse::mc::footprints
