// SPDX-License-Identifier: MIT
//
// Errors that a call returns to the program, because its error handler is MPI_ERRORS_RETURN.
//
// Ids:  error.ignored (warning): the program continues without reading the return value of the call. error.returned
//       (note): it is unknown whether the program reads the value. An error that is a fault of the program has an id of
//       its own in place of error.ignored, and is an error.
// Once: each place of the program and error class is reported once per rank.
#pragma once

#include <string_view>

namespace rehearse::smpi {

// Called before the current MPI call of the rank returns this class; `what` is the error. Does nothing outside of MPI
// calls.
void report_returned_error(int error_class, std::string_view what, std::string_view id = {});

}  // namespace rehearse::smpi
