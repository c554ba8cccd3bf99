// SPDX-License-Identifier: MIT
//
// The words for a handle that is no object of the required kind. Handles of different kinds differ, also predefined
// ones, so the passed handle can be named.
#pragma once

#include <string>

#include "smpi/abi/api.hpp"

namespace rehearse::smpi {

// "the group is MPI_GROUP_NULL", "MPI_SUM was passed as the datatype", "an info object was passed as the request",
// "the communicator was freed or never existed". Of the calling rank.
std::string wrong_handle(Kind wanted, const void* handle);

}  // namespace rehearse::smpi
