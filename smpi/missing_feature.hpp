// SPDX-License-Identifier: MIT
//
// Features of MPI that the calling rank needed and did not get, for ranks that end with an error.
#pragma once

#include <string>

namespace rehearse::smpi {

// A feature whose lack may be the reason why the rank ends as `how` says (LaunchSpec::missing_feature): a thread level,
// or the content of a file. Empty: none.
std::string missing_feature(const std::string& how);

}  // namespace rehearse::smpi
