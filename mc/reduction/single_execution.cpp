// SPDX-License-Identifier: MIT
//
// As an exploration grows its first execution, but for the choices.
#include "mc/reduction/single_execution.hpp"

namespace rehearse::mc::reduction {

namespace {

using Added = ExecutionBuilder::Added;

constexpr std::uint64_t events_between_questions = 1024;

}  // namespace

// `observe`: what happens where only a choice, or a refusal, remains.
template <class Observe>
const graph::Graph* SingleExecution::grow(const Observe& observe) {
  Refusals refusals;
  try {
    for (;;) {
      bool is_refused = false;
      Added added = builder_.grow_without_choice();
      if (added == Added::nothing) added = observe();
      if (added == Added::nothing) {
        added = builder_.refuse_some_poll(refusals);
        is_refused = true;
      }
      if (added == Added::nothing) break;
      if (!is_refused) refusals = {};
      if (++events_ % events_between_questions == 0 && !goes_on_(events_)) return nullptr;
    }
  } catch (const history::GivenUp&) {
    while (goes_on_(events_)) continue;
    return nullptr;
  }
  return builder_.is_real() ? &builder_.graph() : nullptr;
}

const graph::Graph* SingleExecution::walk(SplitMix& chance) {
  return grow([&] { return builder_.observe_by_chance(chance); });
}

// An actor may be left waiting for something better.
const graph::Graph* SingleExecution::follow(Guide& guide) {
  return grow([&] {
    Added added = builder_.observe_as_guided(guide, false);
    if (added == Added::nothing) added = builder_.refuse_as_guided(guide);
    if (added == Added::nothing) added = builder_.observe_as_guided(guide, true);
    return added;
  });
}

}  // namespace rehearse::mc::reduction
