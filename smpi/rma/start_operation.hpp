// SPDX-License-Identifier: MIT
//
// Starts an operation on a window.
//
// Epochs: an operation in a fence or start epoch is queued until the epoch ends; the target then carries it out. An
//         operation in a lock epoch, and one of a start epoch that needs an answer, is an access (access.hpp). Where a
//         driver exchanges accesses as messages, all operations are.
// Errors: raised on the window: a wrong argument, or no epoch for the target.
#pragma once

#include "smpi/rma/prepared_operation.hpp"

namespace rehearse::smpi {

// The result of the MPI call.
int start_operation(const OneSided& call);

}  // namespace rehearse::smpi
