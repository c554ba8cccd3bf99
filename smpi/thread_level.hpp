// SPDX-License-Identifier: MIT
//
// The level of threads that a program asked for and was not given.
#pragma once

#include <string>

namespace rehearse::smpi {

// The calling rank asked for `required` and was given `provided`.
void note_thread_level(int required, int provided);

// For a rank that gives up, `how` it does that: why, if it asked for a level that it was not given and has communicated
// with nobody since. Empty otherwise.
std::string want_of_thread_level(const std::string& how);

}  // namespace rehearse::smpi
