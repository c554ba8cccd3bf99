// SPDX-License-Identifier: MIT
//
// Values of sums over sets of messages, run by run: for each number of messages so far, the different sums.
#include "mc/footprints/taken_sets.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace rehearse::mc::footprints {

TakenSets::TakenSets(std::uint32_t count, std::vector<TakenRun> runs)
    : count_(count), runs_(std::move(runs)), least_behind_(runs_.size()), most_behind_(runs_.size()) {
  for (std::size_t r = runs_.size(); r-- > 1;) {
    least_behind_[r - 1] = least_behind_[r] + runs_[r].least;
    most_behind_[r - 1] = most_behind_[r] + runs_[r].most;
  }
}

bool TakenSets::is_possible() const {
  std::uint32_t least = 0, most = 0;
  for (const TakenRun& run : runs_) {
    if (run.least > run.most) return false;
    least += run.least;
    most += run.most;
  }
  return least <= count_ && count_ <= most;
}

std::optional<std::set<Value>> TakenSets::values(const WordFunction& word, std::size_t most) const {
  if (word.constant) return std::set<Value>{*word.constant};
  if (!word.is_sum) return {};
  std::map<std::uint32_t, std::set<Value>> sums{{0, {word.at_base}}};  // by number of messages
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    std::map<std::uint32_t, std::set<Value>> next;
    for (const auto& [taken, values] : sums) {
      std::set<Value> now = values;
      for (std::uint32_t more = 0; more <= runs_[r].most; ++more) {
        const std::uint32_t total = taken + more;
        if (total + least_behind_[r] > count_) break;
        if (more >= runs_[r].least && total + most_behind_[r] >= count_) next[total].insert(now.begin(), now.end());
        if (more == runs_[r].most) break;
        std::set<Value> longer;
        for (const MessageId message : runs_[r].numbers[more])
          for (const Value value : now) longer.insert(value + word.amount_of(message));
        now = std::move(longer);
        if (now.size() > most) return {};
      }
    }
    sums = std::move(next);
    if (std::ranges::any_of(sums, [&](const auto& with) { return with.second.size() > most; })) return {};
  }
  return sums[count_];
}

}  // namespace rehearse::mc::footprints
