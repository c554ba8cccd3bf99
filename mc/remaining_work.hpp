// SPDX-License-Identifier: MIT
//
// Explorations in parts, within this version of this program: what saved.hpp seals into something that can be kept.
#pragma once

#include <string>

#include "mc/explore.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::mc {

// As explore(); `remaining` says how to go on where it was stopped, and is empty otherwise.
Verdict explore_part(Program& program, const ExploreOptions& options, const Judge& judge, std::string& remaining);

// Goes on with this remaining work, and says what remains now. An error: no exploration left these bytes.
Result<Verdict> explore_remaining(Program& program, const ExploreOptions& options, const Judge& judge,
                                  std::string& remaining);

}  // namespace rehearse::mc
