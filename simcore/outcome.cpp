// SPDX-License-Identifier: MIT
//
// See outcome.hpp.
#include "simcore/outcome.hpp"

#include "simcore/support/assert.hpp"

namespace rehearse {

std::string_view name_of(ActorOutcome::State state) {
  switch (state) {
    case ActorOutcome::State::ended: return "ended";
    case ActorOutcome::State::blocked: return "blocked";
    case ActorOutcome::State::failed: return "failed";
  }
  REHEARSE_ASSERT(false, "a state without a name");
  return {};
}

void add_places(Outcome& outcome, Program& program) {
  const auto add = [&program](ActorId actor, CollectiveCall& call) {
    call.at = program.locate(actor, call.origin);
    call.spelled = program.spell(call.signature);
  };
  for (PendingRequest& pending : outcome.pending) {
    pending.started_at = program.locate(pending.actor, pending.origin);
    if (pending.mismatch.empty()) continue;
    add(pending.actor, pending.own);
    add(pending.mismatch_with, pending.other);
  }
  for (EarlyMessage& early : outcome.early) early.started_at = program.locate(early.source, early.origin);
}

}  // namespace rehearse
