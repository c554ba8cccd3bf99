// SPDX-License-Identifier: MIT
//
// Support for the search for needless barriers (smpi/process.hpp, BarrierLook).
#pragma once

namespace rehearse::smpi {

// The calling rank calls a blocking barrier: reports it, if that is asked for; whether it is to be left out.
bool leaves_out_barrier();

// The calling rank writes to one of its standard streams.
void report_output();

}  // namespace rehearse::smpi
