// SPDX-License-Identifier: MIT
//
// Grows an execution as an exploration does, except for the choices.
#include "mc/reduction/single_execution.hpp"

namespace rehearse::mc::reduction {

namespace {

using Added = ExecutionBuilder::Added;

constexpr std::uint64_t events_between_questions = 64;  // one may hold megabytes of window memory

}  // namespace

// `observe`: makes an observation with a choice, or refuses a poll.
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

// The guide may let an actor wait until it has the option that the guide needs.
const graph::Graph* SingleExecution::follow(Guide& guide) {
  return grow([&] {
    Added added = builder_.observe_as_guided(guide, false);
    if (added == Added::nothing) added = builder_.refuse_as_guided(guide);
    if (added == Added::nothing) added = builder_.observe_as_guided(guide, true);
    return added;
  });
}

}  // namespace rehearse::mc::reduction
