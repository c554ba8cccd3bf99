// SPDX-License-Identifier: MIT
//
// Error codes that the program added.
#pragma once

namespace rehearse::smpi {

// The largest code in use: the value of the attribute MPI_LASTUSEDCODE.
int last_used_code();

}  // namespace rehearse::smpi
