// SPDX-License-Identifier: MIT
//
// Explorations that are left in the middle and taken up again, perhaps by another run of this program.
//
// What is kept is all that was counted, with a hash of every class, and the remaining work. The verdict in the
// end is that of an exploration that was not interrupted, but for `application_runs` and `peak_bytes`.
//
// Errors: whether it is the same program, asked in the same way, is the caller's business: `identity` names all that
//         must not change. Bytes that were damaged are recognised.
#pragma once

#include <string>
#include <string_view>

#include "mc/explore.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::mc {

// As explore(); of a depth-first exploration by matching. Where it was stopped, `left` says how to go on; otherwise, or
// if there is no use in going on, it is empty.
Verdict explore(Program& program, const ExploreOptions& options, const Judge& judge, std::string_view identity,
                std::string& remaining);

// The identity that was given when this was left, or what is wrong with it.
Result<std::string> identity_of(std::string_view remaining);

// Goes on; `left` is what was left before, and says what is left now. Bounds, jobs and callbacks may be others. An
// error: what was left belongs to something else, or was damaged.
Result<Verdict> go_on(Program& program, const ExploreOptions& options, const Judge& judge, std::string_view identity,
                      std::string& remaining);

}  // namespace rehearse::mc
