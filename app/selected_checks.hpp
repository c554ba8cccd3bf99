// SPDX-License-Identifier: MIT
//
// Options that follow from a selection of findings.
#pragma once

#include <vector>

#include "properties/selection.hpp"
#include "simcore/finding.hpp"
#include "smpi/process.hpp"

namespace rehearse::app {

// Turns all warnings into errors, after the existing errors.
void take_warnings_for_errors(std::vector<Finding>& findings);

// The necessary checks of buffers.
smpi::BufferChecks buffer_checks(const properties::Selection& selection);

}  // namespace rehearse::app
