// SPDX-License-Identifier: MIT
//
// The page of a check of actors for browsers: the verdict, and each of the first findings as it happens in simulated
// time, with a lane for each actor.
//
// Errors: the file cannot be written. A finding that does not happen again in simulated time is shown without a
//         picture, with the reason.
#pragma once

#include <string>

#include "app/actor_check.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::cli {

// Writes the page to the file. Runs the program again, in other processes; its output is dropped.
Result<void> write_actor_check_page(const std::string& file, const app::CheckReport& report,
                                    const app::ActorCheckRequest& request);

}  // namespace rehearse::cli
