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

const Amounts& no_amount() {
  static const Amounts nothing{Amount()};
  return nothing;
}

// Adds those of `from`. True: they were not all there.
bool add_amounts(Amounts& into, const Amounts& from) {
  const std::size_t before = into.size();
  for (const Amount& amount : from)
    if (std::ranges::find(into, amount) == into.end()) into.push_back(amount);
  return into.size() != before;
}

// The amounts of both sums. True: something has changed. Messages that one side has never taken are as on the other.
bool join_amounts(WordFunction& into, const std::set<MessageId>& known, const WordFunction& from,
                  const std::set<MessageId>& new_ones, bool joins) {
  bool changes = false;
  const auto join_one = [&](MessageId message) {
    const Amounts& more = from.amounts_of(message);
    if (known.contains(message) && !joins) return;
    if (known.contains(message) && std::ranges::equal(into.amounts_of(message), more)) return;
    Amounts& all = into.amounts.emplace(message, known.contains(message) ? no_amount() : Amounts()).first->second;
    changes = add_amounts(all, more) || changes;
    if (all.size() > most_amounts) into.is_sum = false;
  };
  for (const auto& [message, amounts] : from.amounts)
    if (new_ones.contains(message)) join_one(message);
  for (auto& [message, amounts] : into.amounts)
    if (new_ones.contains(message) && !from.amounts.contains(message)) join_one(message);
  return changes;
}

// True: something has changed.
bool join_sums(WordFunction& into, const std::set<MessageId>& known, const WordFunction& from,
               const std::set<MessageId>& new_ones, bool joins) {
  if (!into.is_sum) return false;
  bool changes = false;
  if (from.is_sum && from.at_base == into.at_base) changes = join_amounts(into, known, from, new_ones, joins);
  else into.is_sum = false;
  if (into.is_sum) return changes;
  into.amounts.clear();
  return true;
}

}  // namespace

Amount amount_of(const RealAmount& real) { return {std::bit_cast<Value>(real.amount), real.magnitude, real.additions}; }

const Amounts& WordFunction::amounts_of(MessageId message) const {
  const auto found = amounts.find(message);
  return found == amounts.end() ? no_amount() : found->second;
}

void WordFunction::set_amount(MessageId message, const Amount& amount) {
  if (amount.is_nothing()) amounts.erase(message);
  else amounts[message] = {amount};
}

bool join(Needs& into, const Needs& other) {
  REHEARSE_ASSERT(into.size() == other.size(), "needs of equally many actors");
  bool changes = false;
  for (std::size_t actor = 0; actor < into.size(); ++actor) {
    changes = changes || other[actor] < into[actor];
    into[actor] = std::min(into[actor], other[actor]);
  }
  return changes;
}

namespace {

bool is_before(const WordFunctions::Entry& entry, Word word) { return entry.first < word; }

}  // namespace

const WordFunction* WordFunctions::find(Word word) const {
  const auto at = std::lower_bound(entries_.begin(), entries_.end(), word, is_before);
  return at == entries_.end() || at->first != word ? nullptr : at->second.get();
}

void WordFunctions::put(Word word, WordFunction function) {
  auto shared = std::make_shared<const WordFunction>(std::move(function));
  const auto at = std::lower_bound(entries_.begin(), entries_.end(), word, is_before);
  if (at != entries_.end() && at->first == word) at->second = std::move(shared);
  else entries_.emplace(at, word, std::move(shared));
}

bool WordStates::join(const WordStates& other, const std::function<Value(Word)>& initial, const JoinRules& rules) {
  REHEARSE_ASSERT(count == other.count, "states with equally many messages");
  bool grows = rules.compares_needs && footprints::join(needs, other.needs);
  const auto unlisted = [&](Word word) { return std::make_shared<const WordFunction>(always(initial(word))); };
  const auto join_one = [&](const WordFunction& here, const WordFunction& there) {
    WordFunction both = here;
    bool changes = join_sums(both, may_be_taken, there, other.may_be_taken, rules.joins_amounts);
    if (rules.compares_constants) changes = join_constants(both, there) || changes;
    return std::pair(changes, std::move(both));
  };
  std::vector<WordFunctions::Entry> all;
  const std::span<const WordFunctions::Entry> here = words.entries(), there = other.words.entries();
  all.reserve(std::max(here.size(), there.size()));
  std::size_t h = 0, t = 0;
  while (h < here.size() || t < there.size()) {
    const bool only_here = t == there.size() || (h < here.size() && here[h].first < there[t].first);
    const bool only_there = h == here.size() || (t < there.size() && there[t].first < here[h].first);
    const Word word = only_there ? there[t].first : here[h].first;
    std::shared_ptr<const WordFunction> from = only_here ? unlisted(word) : there[t].second;
    std::shared_ptr<const WordFunction> into = only_there ? unlisted(word) : here[h].second;
    h += !only_there;
    t += !only_here;
    if (into != from) {
      auto [changes, both] = join_one(*into, *from);
      if (changes) into = std::make_shared<const WordFunction>(std::move(both));
      grows = grows || changes;
    }
    all.emplace_back(word, std::move(into));
  }
  words.assign(std::move(all));
  for (const MessageId message : other.may_be_taken) grows = may_be_taken.insert(message).second || grows;
  return grows;
}

}  // namespace rehearse::mc::footprints
