// SPDX-License-Identifier: MIT
//
// The error text for a handle that is not an object of the required kind. Handles of different kinds have different
// values, also the predefined ones, so the text can name the passed handle.
#pragma once

#include <string>

#include "smpi/abi/api.hpp"

namespace rehearse::smpi {

// "the group is MPI_GROUP_NULL", "MPI_SUM was passed as the datatype", "an info object was passed as the request", "the
// communicator was freed or never existed". For handles of the calling rank.
std::string wrong_handle(Kind wanted, const void* handle);

}  // namespace rehearse::smpi
