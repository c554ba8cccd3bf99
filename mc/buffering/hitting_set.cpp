// SPDX-License-Identifier: MIT
//
// See hitting_set.hpp.
#include "mc/buffering/hitting_set.hpp"

#include <algorithm>
#include <utility>

namespace rehearse::mc::buffering {
namespace {

class Search {
 public:
  Search(const std::vector<Clause>& clauses, std::uint64_t most_steps) : clauses_(clauses), steps_(most_steps) {
    for (const Clause& clause : clauses)
      if (!is_hit(clause)) chosen_.insert(clause.front());
    best_ = std::exchange(chosen_, {});
  }

  std::set<std::uint32_t> run() {
    extend();
    return best_;
  }

 private:
  bool is_hit(const Clause& clause) const {
    return std::ranges::any_of(clause, [this](std::uint32_t number) { return chosen_.contains(number); });
  }

  // Numbers that are needed at least: one for each of some clauses that have no number in common. Sets `shortest` to a
  // shortest clause that is not hit; null: all are.
  std::size_t still_needed(const Clause*& shortest) const {
    std::set<std::uint32_t> seen;
    std::size_t count = 0;
    for (const Clause& clause : clauses_) {
      if (is_hit(clause)) continue;
      if (shortest == nullptr || clause.size() < shortest->size()) shortest = &clause;
      if (std::ranges::any_of(clause, [&](std::uint32_t number) { return seen.contains(number); })) continue;
      seen.insert(clause.begin(), clause.end());
      ++count;
    }
    return count;
  }

  void extend() {
    if (steps_ == 0) return;
    --steps_;
    const Clause* shortest = nullptr;
    const std::size_t needed = still_needed(shortest);
    if (chosen_.size() + needed >= best_.size()) return;
    if (shortest == nullptr) {
      best_ = chosen_;
      return;
    }
    for (const std::uint32_t number : *shortest) {
      chosen_.insert(number);
      extend();
      chosen_.erase(number);
    }
  }

  const std::vector<Clause>& clauses_;
  std::uint64_t steps_;
  std::set<std::uint32_t> chosen_, best_;
};

}  // namespace

std::set<std::uint32_t> hitting_set(const std::vector<Clause>& clauses, std::uint64_t most_steps) {
  return Search(clauses, most_steps).run();
}

}  // namespace rehearse::mc::buffering
