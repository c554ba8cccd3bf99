// SPDX-License-Identifier: MIT
//
// See program.hpp.
#include "manynode/inference/program.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <unordered_map>

#include "manynode/inference/search.hpp"

namespace rehearse::manynode::inference {
namespace {

constexpr std::size_t index_of(Slot slot) { return static_cast<std::size_t>(slot); }

bool comes_first(std::size_t slot) {
  return slot == index_of(Slot::peer) || slot == index_of(Slot::from) || slot == index_of(Slot::root);
}

// What an expression stands beside.
std::string surroundings_of(const Item& item, std::size_t slot) {
  std::string text = std::to_string(slot) + '/' + std::to_string(static_cast<int>(item.call.kind)) + '/' +
                     std::to_string(item.call.name) + '/' + std::to_string(item.call.site) + '/';
  for (std::size_t i = 0; i < slots; ++i)
    if (comes_first(i) && item.values[i]) text += item.values[i]->term().text() + '/';
  return text;
}

template <class Visit>
void visit_items(std::vector<Item>& items, const Visit& visit) {
  for (Item& item : items) {
    visit(item);
    visit_items(item.body, visit);
  }
}

// `loops`: around the item.
template <class Visit>
void visit_with_loops(std::vector<Item>& items, std::size_t loops, const Visit& visit) {
  for (Item& item : items) {
    visit(item, loops);
    visit_with_loops(item.body, loops + (item.kind == ItemKind::loop ? 1 : 0), visit);
  }
}

bool needs_inner_loop(const Term& term, std::size_t loops) {
  for (std::size_t depth = loops; depth < most_depth; ++depth)
    if (term.has_counter(depth)) return true;
  return false;
}

class Election {
 public:
  explicit Election(std::vector<RankClass>& classes) : classes_(classes) {}

  // The cheapest one with at least three quarters of the most votes wins: some votes come by chance.
  // `visit(item, vote)` calls vote(answers, key) for each number at stake.
  template <class Visit>
  void hold(const Visit& visit) {
    votes_.clear();
    const auto all = [&](const auto& act) {
      for (RankClass& each : classes_) visit_items(each.body, [&](Item& item) { visit(item, act); });
    };
    all([this](const Answers& answers, const std::string& key) {
      for (const Term& term : answers.all) ++votes_[key + term.text()];
    });
    all([this](Answers& answers, const std::string& key) {
      std::uint64_t most = 0;
      for (const Term& term : answers.all) most = std::max(most, votes_[key + term.text()]);
      answers.chosen = 0;
      while (4 * votes_[key + answers.term().text()] < 3 * most) ++answers.chosen;
    });
  }

 private:
  std::vector<RankClass>& classes_;
  std::unordered_map<std::string, std::uint64_t> votes_;
};

}  // namespace

// Tries expressions that explain a number on the numbers with the same surroundings in other classes. A class with few
// ranks may give no reason to look for them.
void share_answers(std::vector<RankClass>& classes, const Vocabulary& vocabulary) {
  std::unordered_map<std::string, std::map<std::string, Term>> pool;
  const auto all = [&](const auto& act) {
    for (RankClass& each : classes)
      visit_with_loops(each.body, 0, [&](Item& item, std::size_t loops) {
        for (std::size_t i = 0; i < slots; ++i)
          if (!comes_first(i) && item.values[i] && !item.values[i]->samples.empty())
            act(*item.values[i], surroundings_of(item, i), loops);
      });
  };
  all([&pool](const Answers& answers, const std::string& key, std::size_t) {
    for (const Term& term : answers.all) pool[key].try_emplace(term.text(), term);
  });
  all([&](Answers& answers, const std::string& key, std::size_t loops) {
    std::set<std::string> known;
    for (const Term& term : answers.all) known.insert(term.text());
    for (const auto& [text, term] : pool[key])
      if (!known.contains(text) && !needs_inner_loop(term, loops) && explains(vocabulary, term, answers.samples))
        answers.all.push_back(term);
    std::ranges::stable_sort(answers.all, {}, &Term::cost);
  });
}

void choose_common(std::vector<RankClass>& classes, const Vocabulary& vocabulary) {
  Election election(classes);
  election.hold([](Item& item, const auto& vote) {
    for (std::size_t i = 0; i < slots; ++i)
      if (comes_first(i) && item.values[i]) vote(*item.values[i], i == index_of(Slot::root) ? "root " : "peer ");
    if (item.times) vote(*item.times, "times ");
  });
  share_answers(classes, vocabulary);
  election.hold([](Item& item, const auto& vote) {
    for (std::size_t i = 0; i < slots; ++i)
      if (!comes_first(i) && item.values[i]) vote(*item.values[i], surroundings_of(item, i));
    if (item.parts) vote(*item.parts, surroundings_of(item, slots));
  });
}

double length_of(const std::vector<Item>& items) {
  double length = 0;
  for (const Item& item : items) {
    length += 1 + length_of(item.body) + length_of(item.otherwise);
    for (const std::optional<Answers>& answers : item.values)
      if (answers) length += answers->term().cost();
    if (item.parts) length += item.parts->term().cost();
    if (item.times) length += item.times->term().cost();
    if (item.condition) length += item.condition->cost();
  }
  return length;
}

}  // namespace rehearse::manynode::inference
