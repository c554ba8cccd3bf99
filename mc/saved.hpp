// SPDX-License-Identifier: MIT
//
// Explorations that are interrupted and continued later, also by another run of this program.
//
// The saved state contains the counts, a hash of every class, and the remaining work. The final verdict is that of an
// uninterrupted exploration, except `application_runs` and `peak_bytes`.
//
// Errors: the caller compares program and options: `identity` contains everything that must not change. Damaged bytes
//         are recognised.
#pragma once

#include <string>
#include <string_view>

#include "mc/explore.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::mc {

// As explore(), for depth-first exploration with matching. If it stops early, `remaining` permits continuing. It is
// empty if the exploration is complete, or if continuing is useless.
Verdict explore(Program& program, const ExploreOptions& options, const Judge& judge, std::string_view identity,
                std::string& remaining);

// The identity that was passed when this was saved, or its fault.
Result<std::string> identity_of(std::string_view remaining);

// Continues with `remaining` and updates it. Bounds, jobs and callbacks may differ. Error: it belongs to another
// exploration, or is damaged.
Result<Verdict> go_on(Program& program, const ExploreOptions& options, const Judge& judge, std::string_view identity,
                      std::string& remaining);

}  // namespace rehearse::mc
