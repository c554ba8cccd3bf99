// SPDX-License-Identifier: MIT
//
// Begins and ends of the regions that a program names as operations of its ranks (simcore/mark_stream.hpp).
#pragma once

#include "simcore/program.hpp"

namespace rehearse::smpi {

// From now on, for all ranks. Requires a loaded program.
void show_regions(Program& program);

// Whether the regions of the calling rank are operations; also outside of ranks.
bool shows_regions();

}  // namespace rehearse::smpi
