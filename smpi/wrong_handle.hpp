// SPDX-License-Identifier: MIT
//
// The words for a handle that means no object of the kind that a call wants. Handles of different kinds differ, the
// predefined ones too, so that what was passed instead has a name.
#pragma once

#include <string>

#include "smpi/abi/api.hpp"

namespace rehearse::smpi {

// "the group is MPI_GROUP_NULL", "MPI_SUM was passed as the datatype", "an info object was passed as the request",
// "the communicator was freed or never existed". Of the calling rank.
std::string wrong_handle(Kind wanted, const void* handle);

}  // namespace rehearse::smpi
