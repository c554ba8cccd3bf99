// SPDX-License-Identifier: MIT
//
// What follows from a selection of findings.
#pragma once

#include <vector>

#include "properties/selection.hpp"
#include "simcore/finding.hpp"
#include "smpi/process.hpp"

namespace rehearse::app {

// All warnings are errors now, behind those that were errors already.
void take_warnings_for_errors(std::vector<Finding>& findings);

// What has to be looked at for that.
smpi::BufferChecks buffer_checks(const properties::Selection& selection);

}  // namespace rehearse::app
