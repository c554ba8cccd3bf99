// SPDX-License-Identifier: MIT
//
// Whether the members of a collective call the same: operation, root, signature.
#pragma once

#include <cstdint>

#include "simcore/engine/state.hpp"

namespace rehearse::engine {

// A member arrives: notes how its call differs from those before it. Then the instance is broken.
void compare(Instance& instance, std::uint32_t member, const Collective& operation);

}  // namespace rehearse::engine
