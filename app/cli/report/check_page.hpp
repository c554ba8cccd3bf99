// SPDX-License-Identifier: MIT
//
// The page of a check for browsers: the verdict, and each of the first findings as it happens in simulated time.
//
// Errors: a finding that cannot be reproduced in time, or whose replay crashes, is shown without a recording, with
//         the reason.
#pragma once

#include <string>

#include "app/check.hpp"
#include "app/cli/report/check_text.hpp"
#include "app/machine.hpp"

namespace rehearse::cli {

// Writes the page to the file. Runs the program again on the machine, in other processes.
Result<void> write_check_page(const std::string& file, const app::CheckReport& report,
                              const app::CheckRequest& request);

}  // namespace rehearse::cli
