// SPDX-License-Identifier: MIT
//
// The findings about what an actor does in one execution and not in another: outcome.output, outcome.sends.
#pragma once

#include <cstdint>
#include <string>

#include "mc/deeds_watch.hpp"
#include "simcore/finding.hpp"
#include "simcore/program.hpp"

namespace rehearse::mc {

// `where`: how the actor stands where the difference is first seen. `first_schedule`: of the execution that it is
// compared with. The finding's schedule is made of both, see mc/deeds_watch.hpp.
Finding make_difference(std::uint32_t actor, bool is_output, const CallDescription& where,
                        const std::string& schedule, const std::string& first_schedule);

}  // namespace rehearse::mc
