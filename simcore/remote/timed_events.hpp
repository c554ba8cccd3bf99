// SPDX-License-Identifier: MIT
//
// Events of actors, from their messages.
#pragma once

#include <string>

#include "simcore/actor_events.hpp"
#include "simcore/remote/failures.hpp"

namespace rehearse::remote {

ActorEvent event_of(const std::string& bytes, const Places& places);

}  // namespace rehearse::remote
