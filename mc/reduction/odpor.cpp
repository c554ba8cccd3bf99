// SPDX-License-Identifier: MIT
//
// The exploration, the races of its executions, and the wakeup sequences that reverse them.
#include "mc/reduction/odpor.hpp"

#include <algorithm>
#include <bit>
#include <unordered_map>

#include "simcore/support/assert.hpp"

namespace rehearse::mc::reduction {
namespace {

const Step* find(const std::vector<Step>& list, const Step& step) {
  const auto found = std::ranges::find_if(list, [&](const Step& other) { return other.is(step); });
  return found == list.end() ? nullptr : &*found;
}

bool has_doer(const std::vector<Step>& list, std::uint64_t who) {
  return std::ranges::any_of(list, [who](const Step& step) { return step.who == who; });
}

// The token that the step acquires, and waits for if there is none; null: the step never waits.
const Touch* acquired(const Step& step) {
  const auto found = std::ranges::find_if(step.footprint.touches, [](const Touch& touch) {
    return touch.access == Access::acquires && touch.tokens != Touch::does_not_wait;
  });
  return found == step.footprint.touches.end() ? nullptr : &*found;
}

// Whether the second step needs an object that the first step makes. Then it cannot come before the first step.
bool makes_for(const Step& first, const Step& second) {
  return std::ranges::any_of(second.footprint.touches, [&](const Touch& needed) {
    return needed.access == Access::needs && std::ranges::any_of(first.footprint.touches, [&](const Touch& made) {
             return made.access == Access::makes && made.object == needed.object;
           });
  });
}

// The number of tokens of the object that the step adds (negative: that it takes).
int token_change(const Step& step, std::uint64_t object) {
  int change = 0;
  for (const Touch& touch : step.footprint.touches)
    if (touch.object == object) change += (touch.access == Access::frees) - (touch.access == Access::acquires);
  return change;
}

}  // namespace

bool Odpor::run(const Visitor& visit, const GoesOn& goes_on) {
  depth_ = fresh_ = 0;
  places_.resize(1);
  bool arrived = true;  // false: the last step was taken back
  for (;;) {
    Place& place = places_[depth_];
    if (arrived && !enter()) {
      if (!visit()) return false;
      if (steps_.doers_choose()) find_races_by_trying();
      else find_races();
      fresh_ = depth_;
      arrived = false;
    } else if (has_branch(place)) {
      if (!goes_on()) return false;
      arrived = take_branch(place);
      continue;
    }
    if (depth_ == 0) return true;
    --depth_;
    fresh_ = std::min(fresh_, depth_);
    steps_.take_back();
    leave_branch(places_[depth_]);
    arrived = false;
  }
}

history::Hash128 Odpor::order() const {
  std::vector<std::uint64_t> names(depth_);
  std::unordered_map<std::uint64_t, std::uint64_t> counts;
  history::Hash128 sum;
  for (std::size_t i = 0; i < depth_; ++i) {
    const Step& step = places_[i].step;
    const std::uint64_t name[] = {step.who, step.what, ++counts[step.who]};
    names[i] = history::hash_bytes(name, sizeof name).low;
    std::uint64_t past = 0;
    for (std::size_t word = 0; word < places_[i].past.size(); ++word)
      for (std::uint64_t bits = places_[i].past[word]; bits != 0; bits &= bits - 1)
        past += names[word * 64 + static_cast<std::size_t>(std::countr_zero(bits))];
    const std::uint64_t both[] = {names[i], past};
    const history::Hash128 hash = history::hash_bytes(both, sizeof both);
    sum = {sum.low + hash.low, sum.high + hash.high};
  }
  return sum;
}

// Whether a step is possible here.
bool Odpor::enter() {
  Place& place = places_[depth_];
  place.list.clear();
  steps_.list(place.list);
  place.is_begun = false;
  return std::ranges::any_of(place.list, &Step::is_possible);
}

// Whether a branch remains to be explored from here. A new place without a wakeup sequence gets any step that is awake.
bool Odpor::has_branch(Place& place) {
  if (!place.tree.branches.empty() || place.is_begun) return !place.tree.branches.empty();
  for (const Step& step : place.list) {
    if (!step.is_possible || find(place.sleeping, step) != nullptr) continue;
    place.tree.branches.push_back({step, {}});
    return true;
  }
  ++abandoned_;
  return false;
}

// Takes the first branch. False: its step is not possible; the branches behind it replace it, because they are
// independent of it.
bool Odpor::take_branch(Place& place) {
  const Step* step = find(place.list, place.tree.branches.front().step);
  if (step == nullptr || !step->is_possible) {
    ++impossible_;
    std::vector<WakeupTree::Branch> rest = std::move(place.tree.branches.front().rest.branches);
    place.tree.branches.erase(place.tree.branches.begin());
    place.tree.branches.insert(place.tree.branches.begin(), rest.begin(), rest.end());
    return false;
  }
  place.is_begun = true;
  place.step = *step;
  place.enabled_by = steps_.doers_choose() ? none : enabler(depth_, place.step);
  steps_.take(place.step);
  ++taken_;
  find_past(depth_);
  ++depth_;
  if (places_.size() == depth_) places_.emplace_back();
  Place& next = places_[depth_];
  next.tree = std::move(place.tree.branches.front().rest);
  next.sleeping.clear();
  for (const Step& sleeping : place.sleeping)
    if (sleeping.who != place.step.who && !dependent(sleeping.footprint, place.step.footprint))
      next.sleeping.push_back(sleeping);
  return true;
}

void Odpor::leave_branch(Place& place) {
  place.tree.branches.erase(place.tree.branches.begin());
  place.sleeping.push_back(place.step);
}

// The last step before `at` without which this step would not be possible: the previous step of its doer, or one that
// enabled it. none: the step was possible from the start.
std::size_t Odpor::enabler(std::size_t at, const Step& step) const {
  while (at > 0 && has_doer(list_at(at - 1), step.who) && places_[at - 1].step.who != step.who) --at;
  return at == 0 ? none : at - 1;
}

void Odpor::find_past(std::size_t at) {
  Place& place = places_[at];
  place.past.assign(at / 64 + 1, 0);
  for (std::size_t i = at; i-- > 0;) {
    if (is_before(i, at)) continue;
    const Place& other = places_[i];
    const bool is_ordered = i == place.enabled_by || other.step.who == place.step.who ||
                            dependent(other.step.footprint, place.step.footprint);
    if (!is_ordered) continue;
    for (std::size_t word = 0; word < other.past.size(); ++word) place.past[word] |= other.past[word];
    place.past[i / 64] |= std::uint64_t{1} << (i % 64);
  }
}

// The races of the complete execution.
void Odpor::find_races() {
  for (std::size_t at = fresh_; at < depth_; ++at) {
    find_races_with(places_[at].step, at, places_[at].enabled_by);
    find_disabled(at);
  }
  for (const Step& waiting : list_at(depth_))
    if (!waiting.is_possible) find_races_with(waiting, depth_, enabler(depth_, waiting));
}

// The same for doers that choose. For each step, removes it and the steps that happen after it, and lists the possible
// steps there: those that depend on it, and other choices of its doer, are races.
void Odpor::find_races_by_trying() {
  const auto take = [this](std::size_t i) {
    Step step = places_[i].step;
    steps_.take(step);
  };
  for (std::size_t first = depth_; first-- > 0;) {
    steps_.take_back();
    std::size_t taken = 0;
    for (std::size_t i = first + 1; i < depth_; ++i) {
      if (is_before(first, i)) continue;
      take(i);
      ++taken;
    }
    others_.clear();
    steps_.list(others_);
    while (taken-- > 0) steps_.take_back();
    const Step& step = places_[first].step;
    for (const Step& other : others_)
      if (other.who == step.who ? !other.is(step) : dependent(other.footprint, step.footprint))
        reverse(first, other, none, none);
  }
  for (std::size_t i = 0; i < depth_; ++i) take(i);
}

// Races of earlier steps with `second`, which is the step at `at`, or a step that was not taken there. If a third step
// happens between the two, the race appears in a later execution, in which the third step is reversed. A step that
// waits for a token may be unable to come before the third step; therefore all its races are examined.
void Odpor::find_races_with(const Step& second, std::size_t at, std::size_t enabled_by) {
  const bool waits = acquired(second) != nullptr;
  Past past(at / 64 + 1, 0);  // steps that happen before one that `second` depends on
  for (std::size_t first = at; first-- > 0;) {
    if (past[first / 64] >> (first % 64) & 1) continue;
    const Place& place = places_[first];
    const bool is_needed = place.step.who == second.who || first == enabled_by || makes_for(place.step, second);
    if (!is_needed && !dependent(place.step.footprint, second.footprint)) continue;
    if (!is_needed && has_token_without(first, second, at)) reverse(first, second, at, enabled_by);
    if (!is_needed && waits) continue;
    for (std::size_t word = 0; word < place.past.size(); ++word) past[word] |= place.past[word];
    past[first / 64] |= std::uint64_t{1} << (first % 64);
  }
}

// Whether `second` finds the token that it acquires if the first step, and all steps that happen after it, are removed.
// True if their accesses are not known: then the sequence is tried.
bool Odpor::has_token_without(std::size_t first, const Step& second, std::size_t at) const {
  const Touch* token = acquired(second);
  if (token == nullptr) return true;
  int tokens = token->tokens;
  for (std::size_t i = first; i < at; ++i) {
    if (i != first && !is_before(first, i)) continue;
    if (places_[i].step.footprint.strayed) return true;
    tokens -= token_change(places_[i].step, token->object);
  }
  return tokens > 0;
}

// Races with the steps of other doers that the step at `at` has disabled. If it has ended the execution (a crash, an
// exit), these are the steps of all others. Those that wait for a token race with the steps that took it.
void Odpor::find_disabled(std::size_t at) {
  for (const Step& step : list_at(at)) {
    if (step.who == places_[at].step.who || has_doer(list_at(at + 1), step.who)) continue;
    if (step.is_possible) reverse(at, step, none, none);
    else find_races_with(step, at, enabler(at, step));
  }
}

// Inserts the reversed race into the wakeup tree of the place before `first`: the steps that do not happen after it,
// then `second`, which is the step at `second_at` or was not taken.
void Odpor::reverse(std::size_t first, const Step& second, std::size_t second_at, std::size_t enabled_by) {
  sequence_.clear();
  second_past_.assign(depth_ / 64 + 1, 0);
  for (std::size_t i = first + 1; i < depth_; ++i) {
    const Place& place = places_[i];
    if (is_before(first, i) || i == second_at) continue;
    sequence_.push_back(place.step, i, place.past);
    if (place.step.who == second.who || i == enabled_by || dependent(place.step.footprint, second.footprint))
      second_past_[i / 64] |= std::uint64_t{1} << (i % 64);
  }
  sequence_.push_back(second, depth_, second_past_);
  Place& place = places_[first];
  for (const Step& sleeping : place.sleeping)
    if (sequence_.find_initial(sleeping) != StepSequence::nowhere || sequence_.is_independent_of(sleeping)) return;
  place.tree.insert(sequence_, 1);
}

}  // namespace rehearse::mc::reduction
