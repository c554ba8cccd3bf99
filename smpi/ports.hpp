// SPDX-License-Identifier: MIT
//
// The messages of the meeting of MPI_Comm_connect and MPI_Comm_accept, for judges.
#pragma once

#include "simcore/ids.hpp"

namespace rehearse::smpi {

// Whether messages of this context belong to such a meeting. A request that nobody accepted, because its call has given
// up, is no message of the program.
bool is_of_port(ContextId context);

}  // namespace rehearse::smpi
