// SPDX-License-Identifier: MIT
//
// The kinds of recorded collectives, and the rules that each kind has for the numbers of one call.
//
// Reason: recordings say flow, kind, contribution and parts in separate numbers, and calls of other formats derive some
//         of them from others. A file in which they contradict each other has no such call.
#pragma once

#include "simcore/operation.hpp"

namespace rehearse::trace::rtrace {

// The kind of a collective; without a hint, the one that its flow of data suggests to every driver.
CollectiveKind kind_of(const Collective& collective);

// Whether calls of this kind have a root.
bool has_root(CollectiveKind kind);

// Null: `caller` can have made this call. Otherwise: the rule that it breaks.
// Requires: members, and a root that is one of them if there is one group.
const char* broken_rule(const Collective& collective, ActorId caller);

}  // namespace rehearse::trace::rtrace
