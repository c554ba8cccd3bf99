// SPDX-License-Identifier: MIT
//
// Compares the calls of the members of a collective: operation, root, signature.
#pragma once

#include <cstdint>

#include "simcore/engine/state.hpp"

namespace rehearse::engine {

// A member arrives. Notes how its call differs from earlier calls; a difference breaks the instance.
void compare(Instance& instance, std::uint32_t member, const Collective& operation);

}  // namespace rehearse::engine
