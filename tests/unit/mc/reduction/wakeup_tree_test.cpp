// SPDX-License-Identifier: MIT
//
// Sequences say which steps they can begin with; trees keep what is to be explored, without what is known to lead to
// the same.
#include "mc/reduction/wakeup_tree.hpp"

#include <catch2/catch.hpp>
#include <deque>
#include <set>

#include "tests/support/toy_steps.hpp"

using namespace rehearse;
using namespace rehearse::mc;
using namespace rehearse::mc::reduction;
using tests::toy_step;

namespace {

struct Doing {
  std::uint64_t who = 0;
  tests::ToyAccess access;
  std::uint64_t what = 0;

  Step step() const {
    Step step = toy_step(who, access);
    step.what = what;
    return step;
  }
};

Doing reads(std::uint64_t who, std::uint64_t object) { return {who, {object, Access::reads}}; }
Doing writes(std::uint64_t who, std::uint64_t object) { return {who, {object, Access::writes}}; }

// Steps in their order, each with the past that follows from dependence.
struct Sequence {
  std::deque<Step> steps;
  std::deque<Past> pasts;
  StepSequence sequence;

  void add(const Doing& doing, std::size_t at_least_words = 1) {
    const std::size_t at = steps.size();
    const Step& step = steps.emplace_back(doing.step());
    Past past(std::max(at / 64 + 1, at_least_words), 0);
    for (std::size_t i = 0; i < at; ++i) {
      if (steps[i].who != step.who && !dependent(steps[i].footprint, step.footprint)) continue;
      for (std::size_t word = 0; word < pasts[i].size(); ++word) past[word] |= pasts[i][word];
      past[i / 64] |= std::uint64_t{1} << (i % 64);
    }
    pasts.push_back(past);
    sequence.push_back(step, at, pasts.back());
  }

  std::size_t find_initial(const Doing& doing) const { return sequence.find_initial(doing.step()); }
  bool is_independent_of(const Doing& doing) const { return sequence.is_independent_of(doing.step()); }
};

std::vector<std::uint64_t> doers_left(const StepSequence& sequence) {
  std::vector<std::uint64_t> doers;
  sequence.for_each([&](const Step& step) { doers.push_back(step.who); });
  return doers;
}

// All ways through the tree, by doers.
void collect_ways(const WakeupTree& tree, std::string way, std::vector<std::string>& ways) {
  if (tree.branches.empty() && !way.empty()) ways.push_back(way);
  for (const WakeupTree::Branch& branch : tree.branches)
    collect_ways(branch.rest, way + std::to_string(branch.step.who), ways);
}

std::vector<std::string> ways_of(const WakeupTree& tree) {
  std::vector<std::string> ways;
  collect_ways(tree, "", ways);
  return ways;
}

void insert_into(WakeupTree& tree, const std::vector<Doing>& steps, std::size_t taken = 0) {
  Sequence sequence;
  for (const Doing& step : steps) sequence.add(step);
  tree.insert(sequence.sequence, taken);
}

}  // namespace

TEST_CASE("step sequence: a step without a predecessor in the sequence is an initial", "[mc][wakeup]") {
  Sequence all;
  all.add(writes(1, 1));
  all.add(reads(2, 1));
  all.add(writes(3, 2));
  CHECK(all.find_initial(writes(1, 1)) == 0);
  CHECK(all.find_initial(reads(2, 1)) == StepSequence::nowhere);
  CHECK(all.find_initial(writes(3, 2)) == 2);
  CHECK(all.find_initial(writes(4, 2)) == StepSequence::nowhere);  // nobody does that
}

TEST_CASE("step sequence: an erased step precedes no step", "[mc][wakeup]") {
  Sequence all;
  all.add(writes(1, 1));
  all.add(reads(2, 1));
  all.sequence.erase(0);
  CHECK(doers_left(all.sequence) == std::vector<std::uint64_t>{2});
  CHECK(all.find_initial(reads(2, 1)) == 1);
  CHECK_FALSE(all.sequence.empty());
  all.sequence.erase(1);
  CHECK(all.sequence.empty());
}

TEST_CASE("step sequence: a doer's second step comes after its first", "[mc][wakeup]") {
  Sequence all;
  const Doing first = reads(1, 1), second{1, {2, Access::reads}, 7};
  all.add(first);
  all.add(second);
  CHECK(all.find_initial(second) == StepSequence::nowhere);  // here the doer does something else first
  all.sequence.erase(0);
  CHECK(all.find_initial(second) == 1);
}

TEST_CASE("step sequence: it is independent of a step of another doer without common objects", "[mc][wakeup]") {
  Sequence all;
  all.add(writes(1, 1));
  all.add(reads(2, 2));
  CHECK(all.is_independent_of(writes(3, 3)));
  CHECK(all.is_independent_of(reads(3, 2)));
  CHECK_FALSE(all.is_independent_of(writes(3, 2)));
  CHECK_FALSE(all.is_independent_of(reads(1, 9)));  // its doer does something else here
  all.sequence.erase(0);
  CHECK(all.is_independent_of(reads(1, 9)));
}

TEST_CASE("step sequence: pasts of more than 64 places work", "[mc][wakeup]") {
  Sequence all;
  for (std::uint64_t i = 0; i < 70; ++i) all.add(reads(100 + i, 50 + i), 2);
  all.add(writes(1, 50 + 69), 2);  // after the last one
  CHECK(all.find_initial(writes(1, 50 + 69)) == StepSequence::nowhere);
  all.sequence.erase(69);
  CHECK(all.find_initial(writes(1, 50 + 69)) == 70);
}

TEST_CASE("wakeup tree: a new sequence becomes a branch", "[mc][wakeup]") {
  WakeupTree tree;
  insert_into(tree, {writes(1, 1), writes(2, 1)});
  insert_into(tree, {writes(2, 1), writes(1, 1)});
  CHECK(ways_of(tree) == std::vector<std::string>{"12", "21"});
}

TEST_CASE("wakeup tree: a sequence equivalent to a branch is not added", "[mc][wakeup]") {
  WakeupTree tree;
  insert_into(tree, {reads(1, 1), reads(2, 1)});
  insert_into(tree, {reads(2, 1), reads(1, 1)});
  CHECK(ways_of(tree) == std::vector<std::string>{"12"});
}

TEST_CASE("wakeup tree: a sequence that continues behind a leaf is not added", "[mc][wakeup]") {
  WakeupTree tree;
  insert_into(tree, {writes(1, 1)});
  insert_into(tree, {writes(1, 1), writes(2, 1)});
  CHECK(ways_of(tree) == std::vector<std::string>{"1"});
}

TEST_CASE("wakeup tree: a sequence that begins with a branch continues behind it", "[mc][wakeup]") {
  WakeupTree tree;
  insert_into(tree, {writes(1, 1), writes(2, 1)});
  insert_into(tree, {writes(1, 1), writes(3, 1)});
  CHECK(ways_of(tree) == std::vector<std::string>{"12", "13"});
}

TEST_CASE("wakeup tree: a branch that is independent of the sequence covers it", "[mc][wakeup]") {
  WakeupTree tree;
  insert_into(tree, {writes(3, 9), writes(1, 1)});
  insert_into(tree, {writes(2, 1), writes(1, 1)});
  CHECK(ways_of(tree) == std::vector<std::string>{"31", "321"});
}

TEST_CASE("wakeup tree: branches that are being explored do not count at the root", "[mc][wakeup]") {
  WakeupTree tree;
  insert_into(tree, {reads(1, 1), reads(2, 1)});
  insert_into(tree, {reads(2, 1), reads(1, 1)}, 1);
  CHECK(ways_of(tree) == std::vector<std::string>{"12", "21"});
}

TEST_CASE("wakeup tree: each inserted trace has exactly one path, and no other trace has one", "[mc][wakeup][fuzz]") {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    SplitMix chance(seed);
    // One step of each doer, in random orders.
    const std::size_t doers = 2 + chance.below(3);
    tests::ToyProgram program(doers);
    for (auto& accesses : program)
      accesses = {{1 + chance.below(2), chance.below(2) == 0 ? Access::reads : Access::writes}};
    WakeupTree tree;
    std::set<std::string> wanted, found;
    for (int i = 0; i < 12; ++i) {
      std::vector<std::uint64_t> order;
      for (std::uint64_t who = 1; who <= doers; ++who) order.push_back(who);
      for (std::size_t k = doers; k > 1; --k) std::swap(order[k - 1], order[chance.below(k)]);
      std::vector<Doing> steps;
      for (const std::uint64_t who : order) steps.push_back({who, program[who - 1][0]});
      wanted.insert(tests::order_of(program, order));
      insert_into(tree, steps);
    }
    std::size_t ways = 0;
    for (const std::string& way : ways_of(tree)) {
      std::vector<std::uint64_t> order;
      for (const char digit : way) order.push_back(static_cast<std::uint64_t>(digit - '0'));
      found.insert(tests::order_of(program, order));
      ++ways;
    }
    INFO("seed " << seed);
    CHECK(found == wanted);
    CHECK(ways == wanted.size());
  }
}
