// SPDX-License-Identifier: MIT
//
// Support for the search for needless barriers (BarrierSearch in smpi/process.hpp).
#pragma once

namespace rehearse::smpi {

// Called when the rank calls a blocking barrier. Reports the place of the call if the settings ask for it. Returns
// whether this barrier must do nothing.
bool skips_barrier();

// Called when the rank writes to one of its standard streams.
void report_output();

}  // namespace rehearse::smpi
