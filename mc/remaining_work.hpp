// SPDX-License-Identifier: MIT
//
// Explorations in parts, for one version of this program. saved.hpp makes files of the remaining work.
#pragma once

#include <string>

#include "mc/explore.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::mc {

// As explore(); `remaining` says how to continue where it was stopped, and is empty otherwise.
Verdict explore_part(Program& program, const ExploreOptions& options, const Judge& judge, std::string& remaining);

// Continues with this remaining work and updates it. Error: no exploration wrote these bytes.
Result<Verdict> explore_remaining(Program& program, const ExploreOptions& options, const Judge& judge,
                                  std::string& remaining);

}  // namespace rehearse::mc
