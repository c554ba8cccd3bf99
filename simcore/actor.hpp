// SPDX-License-Identifier: MIT
//
// What code that runs inside an actor can do: ask, and know who it is.
//
// Threads: only from the actor's own fiber.
#pragma once

#include <cstdint>

#include "simcore/ids.hpp"
#include "simcore/observation.hpp"
#include "simcore/operation.hpp"

namespace rehearse {

// Pauses the calling actor at `operation` until the driver answers. The answer is valid until the next ask().
// Does not return after End and Fail.
const Observation& ask(const Operation& operation);

// The calling actor; asserted to exist.
ActorId current_actor();

// How many actors the calling actor's program has: those are 0 .. actor_count()-1.
std::uint32_t actor_count();

// Whether the calling code runs inside an actor at all.
bool in_actor();

// One pointer per actor for the library that runs on it; null at the actor's start. Part of the actor's memory.
void*& actor_slot();

}  // namespace rehearse
