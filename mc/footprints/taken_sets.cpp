// SPDX-License-Identifier: MIT
//
// Values of sums over sets of messages, run by run: for each number of messages so far, the different sums.
#include "mc/footprints/taken_sets.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace rehearse::mc::footprints {

namespace {

// All doubles that sums with these properties can be. Empty: more than `most`, or one may overflow.
std::optional<std::set<Value>> doubles_between(long double least, long double most_sum, long double magnitude,
                                               std::uint64_t additions, std::size_t most) {
  constexpr std::uint64_t most_additions = 1 << 20;
  constexpr double largest = std::numeric_limits<double>::max() / 4;
  if (!(magnitude < largest) || additions > most_additions) return {};
  const long double roundings = static_cast<long double>(additions) * 0x1p-53L;
  // The sums here are rounded, too: to 64 bits.
  const long double here = (static_cast<long double>(additions) + 4) * 0x1p-62L;
  const long double error = (roundings / (1 - roundings) + here) * magnitude;
  const long double low = least - error, high = most_sum + error;
  std::set<Value> values;
  if (low <= 0 && high >= 0) values.insert({std::bit_cast<Value>(0.0), std::bit_cast<Value>(-0.0)});
  double at = static_cast<double>(low);
  at = std::nextafter(at, -HUGE_VAL);
  for (; static_cast<long double>(at) <= high; at = std::nextafter(at, HUGE_VAL)) {
    if (static_cast<long double>(at) >= low && at != 0) values.insert(std::bit_cast<Value>(at));
    if (values.size() > most) return {};
  }
  return values;
}

}  // namespace

TakenSets::TakenSets(std::uint32_t count, std::vector<TakenRun> runs) : count_(count), runs_(std::move(runs)) {}

bool TakenSets::is_possible() const {
  std::uint32_t least = 0, most = 0;
  for (const TakenRun& run : runs_) {
    if (run.least > run.most) return false;
    least += run.least;
    most += run.most;
  }
  return least <= count_ && count_ <= most;
}

namespace {

// The runs with messages that change a word. Of the other ones, only the number of messages matters.
struct RunsOfWord {
  std::vector<const TakenRun*> runs;
  std::vector<std::uint32_t> least_behind, most_behind;  // of all runs behind it, and of those that change nothing
  std::uint32_t count = 0;

  RunsOfWord(const std::vector<TakenRun>& all, const WordFunction& function, std::uint32_t messages) : count(messages) {
    std::uint32_t least = 0, most = 0;
    for (const TakenRun& run : all) {
      const bool changes = std::ranges::any_of(run.numbers, [&](const std::vector<MessageId>& contents) {
        return std::ranges::any_of(contents, [&](MessageId message) { return function.amounts.contains(message); });
      });
      if (changes) {
        runs.push_back(&run);
      } else {
        least += run.least;
        most += run.most;
      }
    }
    least_behind.resize(runs.size());
    most_behind.resize(runs.size());
    for (std::size_t r = runs.size(); r-- > 0;) {
      least_behind[r] = least;
      most_behind[r] = most;
      least += runs[r]->least;
      most += runs[r]->most;
    }
  }

  // Whether a set can have `total` messages of the runs up to this one.
  bool can_be_completed(std::size_t run, std::uint32_t total) const {
    return total + least_behind[run] <= count && total + most_behind[run] >= count;
  }
};

}  // namespace

std::optional<std::set<Value>> TakenSets::integers(Word word, const WordFunction& function, std::size_t most) const {
  if (function.amounts.empty()) return std::set<Value>{function.at_base};
  const RunsOfWord those(runs_, function, count_);
  std::map<std::uint32_t, std::set<Value>> sums{{0, {function.at_base}}};  // by number of messages
  for (std::size_t r = 0; r < those.runs.size(); ++r) {
    const TakenRun& run = *those.runs[r];
    std::map<std::uint32_t, std::set<Value>> next;
    for (const auto& [taken, values] : sums) {
      std::set<Value> now = values;
      for (std::uint32_t more = 0; more <= run.most; ++more) {
        const std::uint32_t total = taken + more;
        if (total > count_) break;
        if (more >= run.least && those.can_be_completed(r, total)) next[total].insert(now.begin(), now.end());
        if (more == run.most) break;
        std::set<Value> longer;
        for (const MessageId message : run.numbers[more])
          for (const Amount& amount : function.amounts_of(message))
            for (const Value value : now) longer.insert(truncated(word, value + amount.value));
        now = std::move(longer);
        if (now.size() > most) return {};
      }
    }
    sums = std::move(next);
    if (std::ranges::any_of(sums, [&](const auto& with) { return with.second.size() > most; })) return {};
  }
  std::set<Value> all;
  for (const auto& [total, values] : sums) all.insert(values.begin(), values.end());
  if (all.size() > most) return {};
  return all;
}

void TakenSets::RealRange::join(const RealRange& other) {
  least = std::min(least, other.least);
  most = std::max(most, other.most);
  magnitude = std::max(magnitude, other.magnitude);
  additions = std::max(additions, other.additions);
}

// Empty: there is no set.
std::optional<TakenSets::RealRange> TakenSets::range(const WordFunction& function) const {
  const auto base = static_cast<long double>(std::bit_cast<double>(function.at_base));
  const RunsOfWord those(runs_, function, count_);
  std::map<std::uint32_t, RealRange> sums{{0, {base, base, std::abs(base), 0}}};  // by number of messages
  for (std::size_t r = 0; r < those.runs.size(); ++r) {
    const TakenRun& run = *those.runs[r];
    std::map<std::uint32_t, RealRange> next;
    for (const auto& [taken, from] : sums) {
      RealRange now = from;
      for (std::uint32_t more = 0; more <= run.most; ++more) {
        const std::uint32_t total = taken + more;
        if (total > count_) break;
        if (more >= run.least && those.can_be_completed(r, total)) {
          const auto [known, is_new] = next.emplace(total, now);
          if (!is_new) known->second.join(now);
        }
        if (more == run.most) break;
        std::optional<RealRange> longer;
        for (const MessageId message : run.numbers[more])
          for (const Amount& amount : function.amounts_of(message)) {
            const auto term = static_cast<long double>(std::bit_cast<double>(amount.value));
            const RealRange one{now.least + term, now.most + term, now.magnitude + amount.magnitude,
                                now.additions + amount.additions};
            if (longer) longer->join(one);
            else longer = one;
          }
        now = *longer;
      }
    }
    sums = std::move(next);
  }
  std::optional<RealRange> all;
  for (const auto& [total, range] : sums) {
    if (all) all->join(range);
    else all = range;
  }
  return all;
}

std::optional<std::set<Value>> TakenSets::values(Word word, const WordFunction& function, std::size_t most) const {
  if (function.constant) return std::set<Value>{*function.constant};
  if (!function.is_sum) return {};
  if (!is_real(word)) return integers(word, function, most);
  const std::optional<RealRange> sums = range(function);
  if (!sums) return std::set<Value>();
  return doubles_between(sums->least, sums->most, sums->magnitude, sums->additions, most);
}

bool PossibleSets::is_possible() const { return std::ranges::all_of(all_, &TakenSets::is_possible); }

std::optional<std::set<Value>> PossibleSets::values(Word word, const WordFunction& function, std::size_t most) const {
  std::optional<std::set<Value>> common;
  for (const TakenSets& sets : all_) {
    const std::optional<std::set<Value>> values = sets.values(word, function, most);
    if (!values) continue;
    if (!common) common = values;
    else std::erase_if(*common, [&](Value value) { return !values->contains(value); });
    if (common->size() <= 1) break;
  }
  return common;
}

}  // namespace rehearse::mc::footprints
