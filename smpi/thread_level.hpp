// SPDX-License-Identifier: MIT
//
// The thread level that a program requested and did not get.
#pragma once

#include <string>

namespace rehearse::smpi {

// The highest level that the driver of the calling rank allows.
int highest_thread_level();

// The calling rank requested `required` and got `provided`.
void note_thread_level(int required, int provided);

// Whether the calling rank requested MPI_THREAD_MULTIPLE, which it did not get.
bool wants_multiple();

// For a rank that ends with an error (`how`): the missing level, if the rank requested a higher level than it got and
// has not communicated since. Empty otherwise.
std::string missing_thread_level(const std::string& how);

}  // namespace rehearse::smpi
