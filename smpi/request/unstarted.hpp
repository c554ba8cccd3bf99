// SPDX-License-Identifier: MIT
//
// Persistent requests that the program waits for before it ever starts them.
//
// Choice: that is no mistake if the program starts them later. It is reported (request.inactive) where the request ends
//         without having been started, or where somebody waits forever for want of it.
#pragma once

#include "smpi/request/request.hpp"

namespace rehearse::smpi {

// The program waits for an inactive request.
void note_wait_before_start(Request& request, MPI_Request handle);
// It starts one.
void note_start(const Request& request, MPI_Request handle);
// At its end: reports it if it was waited for and never started.
void report_never_started(const Request& request);

}  // namespace rehearse::smpi
