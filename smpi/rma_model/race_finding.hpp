// SPDX-License-Identifier: MIT
//
// The report of a race through a window.
#pragma once

#include "simcore/program.hpp"
#include "smpi/rma_model/view.hpp"

namespace rehearse::smpi::model {

// `program` knows the source lines.
Finding finding_of(const Race& race, Program& program);

}  // namespace rehearse::smpi::model
