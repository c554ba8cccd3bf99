// SPDX-License-Identifier: MIT
//
// Errors that a call returns to the program, because its error handler is MPI_ERRORS_RETURN.
//
// Ids:  error.ignored (warning): the program continues without looking at what the call returned.
//       error.returned (note): it may look at it, or not; nothing more is known.
// Once: each place of the program and error class is reported once per rank.
#pragma once

#include <string_view>

namespace rehearse::smpi {

// The call that the rank is in is about to return this class; `what` is wrong. Nothing where the rank is in no call.
void report_returned_error(int error_class, std::string_view what);

}  // namespace rehearse::smpi
