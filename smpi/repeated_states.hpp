// SPDX-License-Identifier: MIT
//
// Ranks whose states can come again: numbers that otherwise only grow are used again.
//
// Numbers: the next request gets the lowest number that no started and incomplete request has.
// Limits:  programs without windows, files of several ranks and failures. A rank with more than 256 started requests
//          goes on with growing numbers. A use of a completed request's handle may find another request.
// Threads: runs outside of ranks, while the rank is paused.
#pragma once

#include "simcore/observation.hpp"
#include "simcore/operation.hpp"

namespace rehearse::smpi {

// Call it before each answer (LaunchSpec::before_answer). `slot`: of the rank, whose memory is accessible.
void repeat_numbers(const void* slot, const Operation& operation, const Observation& answer);

}  // namespace rehearse::smpi
