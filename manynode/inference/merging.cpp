// SPDX-License-Identifier: MIT
//
// See merging.hpp.
#include "manynode/inference/merging.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace rehearse::manynode::inference {
namespace {

std::string text_of(const std::optional<Answers>& answers) { return answers ? answers->term().text() : "-"; }

bool is_same_call(const Item& one, const Item& other) {
  const RecordedCall &a = one.call, &b = other.call;
  if (a.kind != b.kind || a.blocking != b.blocking || a.mode != b.mode || a.name != b.name || a.site != b.site ||
      a.communicator != b.communicator)
    return false;
  for (std::size_t i = 0; i < slots; ++i)
    if (text_of(one.values[i]) != text_of(other.values[i])) return false;
  return text_of(one.parts) == text_of(other.parts);
}

// An item with the classes that execute it.
struct Shared {
  Item item;
  std::vector<char> in;  // by class
  std::vector<Shared> body;
};

std::vector<Shared> shared_of(const std::vector<Item>& items, std::size_t number, std::size_t classes) {
  std::vector<Shared> made;
  for (const Item& item : items) {
    Shared& shared = made.emplace_back();
    shared.item = item;
    shared.item.body.clear();
    shared.in.assign(classes, 0);
    shared.in[number] = 1;
    shared.body = shared_of(item.body, number, classes);
  }
  return made;
}

// Calls that both lists have in common.
class Alignment {
 public:
  Alignment(const std::vector<Shared>& left, const std::vector<Shared>& right)
      : left_(left), right_(right), columns_(right.size() + 1), best_((left.size() + 1) * columns_, 0) {
    for (std::size_t i = left.size(); i-- > 0;)
      for (std::size_t k = right.size(); k-- > 0;) {
        const double weight = weight_of(left[i], right[k]);
        at(i, k) = std::max({at(i + 1, k), at(i, k + 1), weight > 0 ? weight + at(i + 1, k + 1) : 0.0});
      }
  }

  double weight() { return at(0, 0); }

  std::vector<Shared> merged() {
    std::vector<Shared> made;
    std::size_t i = 0, k = 0;
    while (i < left_.size() || k < right_.size()) {
      if (i < left_.size() && k < right_.size()) {
        const double weight = weight_of(left_[i], right_[k]);
        if (weight > 0 && at(i, k) == weight + at(i + 1, k + 1)) {
          made.push_back(joined(left_[i++], right_[k++]));
          continue;
        }
      }
      const bool takes_left = k == right_.size() || (i < left_.size() && at(i, k) == at(i + 1, k));
      made.push_back(takes_left ? left_[i++] : right_[k++]);
    }
    return made;
  }

 private:
  static double weight_of(const Shared& one, const Shared& other) {
    if (one.item.kind != other.item.kind) return 0;
    if (one.item.kind == ItemKind::call) return is_same_call(one.item, other.item) ? 1 : 0;
    if (text_of(one.item.times) != text_of(other.item.times)) return 0;
    return Alignment(one.body, other.body).weight();
  }

  static Shared joined(const Shared& one, const Shared& other) {
    Shared made = one;
    for (std::size_t i = 0; i < made.in.size(); ++i) made.in[i] |= other.in[i];
    for (std::size_t i = 0; i < made.item.computations.size(); ++i)
      made.item.computations[i].add(other.item.computations[i]);
    if (made.item.kind == ItemKind::loop) made.body = Alignment(one.body, other.body).merged();
    return made;
  }

  double& at(std::size_t i, std::size_t k) { return best_[i * columns_ + k]; }

  const std::vector<Shared>& left_;
  const std::vector<Shared>& right_;
  std::size_t columns_;
  std::vector<double> best_;
};

class BranchMaker {
 public:
  BranchMaker(const std::vector<RankClass>& classes, const Conditions& conditions, const Vocabulary& vocabulary)
      : classes_(classes), conditions_(conditions), vocabulary_(vocabulary) {}

  // `around`: the classes that come here.
  std::optional<std::vector<Item>> make(const std::vector<Shared>& list, const std::vector<char>& around) const {
    std::vector<Item> items;
    for (std::size_t i = 0; i < list.size();) {
      const std::vector<char>& in = list[i].in;
      std::vector<Item> group;
      for (; i < list.size() && list[i].in == in; ++i) {
        Item item = list[i].item;
        if (item.kind == ItemKind::loop) {
          auto body = make(list[i].body, in);
          if (!body) return std::nullopt;
          item.body = std::move(*body);
        }
        group.push_back(std::move(item));
      }
      if (!add_group(in, around, std::move(group), items)) return std::nullopt;
    }
    return items;
  }

 private:
  bool add_group(const std::vector<char>& in, const std::vector<char>& around, std::vector<Item> group,
                 std::vector<Item>& items) const {
    if (in == around) {
      std::ranges::move(group, std::back_inserter(items));
      return true;
    }
    std::vector<char> rest = around;
    for (std::size_t i = 0; i < rest.size(); ++i) rest[i] = around[i] != 0 && in[i] == 0;
    const auto condition = conditions_.separate(members_of(in), members_of(rest));
    if (!condition) return false;
    const bool is_rest_of_last = !items.empty() && items.back().kind == ItemKind::branch &&
                                 items.back().otherwise.empty() && last_rest_ == in && last_around_ == around;
    if (is_rest_of_last) {
      items.back().otherwise = std::move(group);
      return true;
    }
    Item& branch = items.emplace_back();
    branch.kind = ItemKind::branch;
    branch.condition = condition;
    branch.body = std::move(group);
    last_rest_ = rest;
    last_around_ = around;
    return true;
  }

  std::vector<char> members_of(const std::vector<char>& chosen) const {
    std::vector<char> members(vocabulary_.members(), 0);
    for (std::size_t i = 0; i < classes_.size(); ++i)
      if (chosen[i] != 0)
        for (const std::uint32_t member : classes_[i].members) members[member] = 1;
    return members;
  }

  const std::vector<RankClass>& classes_;
  const Conditions& conditions_;
  const Vocabulary& vocabulary_;
  mutable std::vector<char> last_rest_, last_around_;  // of the last branch
};

}  // namespace

std::optional<std::vector<Item>> merge(const std::vector<RankClass>& classes, const Conditions& conditions,
                                       const Vocabulary& vocabulary) {
  std::vector<Shared> all;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const std::vector<Shared> next = shared_of(classes[i].body, i, classes.size());
    all = i == 0 ? next : Alignment(all, next).merged();
  }
  return BranchMaker(classes, conditions, vocabulary).make(all, std::vector<char>(classes.size(), 1));
}

std::vector<Item> in_branches(const std::vector<RankClass>& classes) {
  std::vector<Item> items = classes.back().body;
  for (std::size_t i = classes.size() - 1; i-- > 0;) {
    Item branch;
    branch.kind = ItemKind::branch;
    branch.condition = classes[i].rule;
    branch.body = classes[i].body;
    branch.otherwise = std::move(items);
    items.clear();
    items.push_back(std::move(branch));
  }
  return items;
}

std::optional<std::vector<std::size_t>> find_rules(std::vector<RankClass>& classes, const Conditions& conditions,
                                                   const Vocabulary& vocabulary) {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < classes.size(); ++i) open.push_back(i);
  std::vector<RankClass> ordered;
  const auto members_of = [&](std::size_t number, std::vector<char>& members) {
    for (const std::uint32_t member : classes[number].members) members[member] = 1;
  };
  while (!open.empty()) {
    std::optional<std::size_t> chosen;
    std::optional<Term> rule;
    for (std::size_t i = 0; i < open.size(); ++i) {
      std::vector<char> in(vocabulary.members(), 0), others(vocabulary.members(), 0);
      members_of(open[i], in);
      for (std::size_t k = 0; k < open.size(); ++k)
        if (k != i) members_of(open[k], others);
      auto found = conditions.separate(in, others);
      if (found && (!rule || found->cost() < rule->cost())) rule = std::move(found), chosen = i;
    }
    if (!chosen) return open;
    RankClass& made = ordered.emplace_back(std::move(classes[open[*chosen]]));
    made.rule = *rule;
    open.erase(open.begin() + static_cast<std::ptrdiff_t>(*chosen));
  }
  classes = std::move(ordered);
  return std::nullopt;
}

}  // namespace rehearse::manynode::inference
