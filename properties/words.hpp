// SPDX-License-Identifier: MIT
//
// Texts for findings: ranks, messages, places.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simcore/finding.hpp"
#include "simcore/outcome.hpp"

namespace rehearse::properties {

std::string rank(ActorId actor);                          // "rank 3"
std::string ranks(std::span<const ActorId> actors);       // "rank 3", "ranks 3 and 4", "ranks 3, 4 and 5"
std::string many_ranks(std::span<const ActorId> actors);  // the same, or "62 ranks (0-2, 5-63)"; ascending
std::string ordinal(std::uint64_t number);                // "1st", "2nd", "11th"
std::string joined(std::span<const std::string> parts, std::string_view last_separator);

// "a message from rank 1 with tag 7", "a message from any rank with any tag"
std::string wanted_message(const Pattern& pattern);

// As above, but if the numbers of ranks in the describing actor's communicator differ from those in MPI_COMM_WORLD,
// with both: "rank 1 of comm#1 (rank 0 of MPI_COMM_WORLD)", "ranks 1 and 2 of comm#1 (ranks 0 and 4 of
// MPI_COMM_WORLD)".
std::string rank_in(const CallDescription& standing, ContextId context, ActorId actor);
std::string many_ranks_in(const CallDescription& standing, ContextId context, std::span<const ActorId> actors);
std::string wanted_message_in(const CallDescription& standing, const Pattern& pattern);
// The name of the context for the describing actor; empty: unknown.
std::string name_of(const CallDescription& standing, ContextId context);
// What a rank that is in MPI_Win_start, MPI_Win_complete or MPI_Win_wait needs of another one: "expose its window
// (MPI_Win_post)". Empty: it is in another call. These calls wait for messages without data.
std::string_view needed_for_epoch(const CallDescription& standing);
// The place where an earlier call started the request; null: not known, or the current call started it.
const StartedRequest* find_started(const CallDescription& standing, RequestId request);
// "1 byte", "8 bytes"
std::string bytes(std::uint64_t count);

// The place of the actor, with the text `what`.
Location place(ActorId actor, const Describe& describe, std::string what);
Location place(ActorId actor, const CallDescription& standing, std::string what);
// The same for a call at another place.
Location place_at(ActorId actor, std::string_view call, const Frame& at, std::string what);
// "MPI_Recv(...) at ring.c:12", or as much of it as is known.
std::string call_and_line(const Location& location);

}  // namespace rehearse::properties
