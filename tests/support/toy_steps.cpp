// SPDX-License-Identifier: MIT
//
// Toy programs of steps, and their orders by brute force.
#include "tests/support/toy_steps.hpp"

#include <algorithm>
#include <sstream>

#include "simcore/support/assert.hpp"

namespace rehearse::tests {

using mc::reduction::Step;

namespace {

Access access_of(char letter) {
  switch (letter) {
    case 'r': return Access::reads;
    case 'w': return Access::writes;
    case 'a': return Access::acquires;
    case 'f': return Access::frees;
  }
  REHEARSE_ASSERT(false, "an access that a toy program knows");
  return Access::reads;
}

void collect_orders(const ToyProgram& program, ToySteps& steps, std::set<std::string>& orders) {
  std::vector<Step> list;
  steps.list(list);
  bool is_end = true;
  for (Step& step : list) {
    if (!step.is_possible) continue;
    is_end = false;
    steps.take(step);
    collect_orders(program, steps, orders);
    steps.take_back();
  }
  if (is_end) orders.insert(order_of(program, steps.taken()));
}

}  // namespace

ToyProgram toy(const std::vector<std::string>& doers) {
  ToyProgram program;
  for (const std::string& text : doers) {
    std::vector<ToyAccess>& accesses = program.emplace_back();
    std::istringstream words(text);
    for (std::string word; words >> word;) accesses.push_back({std::stoull(word.substr(1)), access_of(word[0])});
  }
  return program;
}

ToyProgram random_toy(SplitMix& chance, std::size_t doers, std::size_t max_steps, std::size_t objects) {
  ToyProgram program(doers);
  for (std::vector<ToyAccess>& accesses : program)
    for (std::size_t remaining = chance.below(max_steps + 1); remaining > 0; --remaining)
      accesses.push_back({1 + chance.below(objects), chance.below(2) == 0 ? Access::reads : Access::writes});
  return program;
}

Step toy_step(std::uint64_t who, const ToyAccess& access, bool is_possible) {
  Step step;
  step.who = who;
  step.is_possible = is_possible;
  step.footprint.touches.push_back({access.object, access.access, is_possible ? 1 : 0});
  return step;
}

bool ToySteps::is_held(std::uint64_t lock) const {
  int held = 0;
  for (std::size_t d = 0; d < program_.size(); ++d)
    for (std::size_t i = 0; i < done_[d]; ++i)
      if (program_[d][i].object == lock)
        held += (program_[d][i].access == Access::acquires) - (program_[d][i].access == Access::frees);
  return held > 0;
}

void ToySteps::list(std::vector<Step>& steps) {
  for (const bool possible : {true, false})
    for (std::size_t d = 0; d < program_.size(); ++d) {
      if (done_[d] == program_[d].size()) continue;
      const ToyAccess& next = program_[d][done_[d]];
      const bool waits = next.access == Access::acquires && is_held(next.object);
      if (waits != possible) steps.push_back(toy_step(d + 1, next, possible));
    }
}

void ToySteps::take(Step& step) {
  ++done_[step.who - 1];
  taken_.push_back(step.who);
}

void ToySteps::take_back() {
  --done_[taken_.back() - 1];
  taken_.pop_back();
}

bool ToySteps::is_over() const {
  for (std::size_t d = 0; d < program_.size(); ++d)
    if (done_[d] < program_[d].size()) return false;
  return true;
}

std::string order_of(const ToyProgram& program, const std::vector<std::uint64_t>& doers) {
  struct Taken {
    std::string name;
    ToyAccess access;
    std::uint64_t who;
  };
  std::vector<Taken> taken;
  std::vector<std::size_t> counts(program.size());
  for (const std::uint64_t who : doers) {
    const std::size_t number = counts[who - 1]++;
    taken.push_back({std::to_string(who) + "." + std::to_string(number), program[who - 1][number], who});
  }
  std::set<std::string> pairs;
  for (std::size_t i = 0; i < taken.size(); ++i) {
    pairs.insert(taken[i].name);
    for (std::size_t j = i + 1; j < taken.size(); ++j)
      if (taken[i].who != taken[j].who && taken[i].access.object == taken[j].access.object &&
          (taken[i].access.access != Access::reads || taken[j].access.access != Access::reads))
        pairs.insert(taken[i].name + "<" + taken[j].name);
  }
  std::string text;
  for (const std::string& pair : pairs) text += pair + " ";
  return text;
}

std::set<std::string> all_orders_of(const ToyProgram& program) {
  std::set<std::string> orders;
  ToySteps steps(program);
  collect_orders(program, steps, orders);
  return orders;
}

}  // namespace rehearse::tests
