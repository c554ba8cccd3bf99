// SPDX-License-Identifier: MIT
//
// Persistent requests that the program waits for before it starts them for the first time.
//
// Choice: such a wait is no error if the program starts the request later. It is reported (request.inactive) if the
//         request ends without a start, or if a rank waits forever because the request was not started.
#pragma once

#include "smpi/request/request.hpp"

namespace rehearse::smpi {

// The program waits for an inactive request.
void note_wait_before_start(Request& request, MPI_Request handle);
// The program starts a request.
void note_start(const Request& request, MPI_Request handle);
// At the end of a request: reports it if the program waited for it and never started it.
void report_never_started(const Request& request);

}  // namespace rehearse::smpi
