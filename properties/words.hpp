// SPDX-License-Identifier: MIT
//
// The words of findings: ranks, messages, places.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simcore/finding.hpp"
#include "simcore/outcome.hpp"

namespace rehearse::properties {

std::string rank(ActorId actor);                      // "rank 3"
std::string ranks(std::span<const ActorId> actors);   // "rank 3", "ranks 3 and 4", "ranks 3, 4 and 5"
std::string many_ranks(std::span<const ActorId> actors);  // the same, or "62 ranks (0-2, 5-63)"; ascending
std::string ordinal(std::uint64_t number);                 // "1st", "2nd", "11th"
std::string joined(std::span<const std::string> parts, std::string_view last_separator);

// "a message from rank 1 with tag 7", "a message from any rank with any tag"
std::string wanted_message(const Pattern& pattern);
// "1 byte", "8 bytes"
std::string bytes(std::uint64_t count);

// Where the actor stands, with `what` it does there.
Location place(ActorId actor, const Describe& describe, std::string what);
// "MPI_Recv(...) at ring.c:12", or as much of it as is known.
std::string call_and_line(const Location& location);

}  // namespace rehearse::properties
