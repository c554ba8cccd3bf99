// SPDX-License-Identifier: MIT
//
// Attributes of communicators: values that the program attaches under its own keys, with callbacks.
//
// Source: MPI 5.0, 7.7. A freed key lives while an attribute uses it.
#pragma once

#include "smpi/communicator/communicator.hpp"

namespace rehearse::smpi {

// Copies the attributes of `from` whose copy callbacks ask for it. Stops at the first callback whose code is not
// MPI_SUCCESS and returns that code. Attributes that were copied before stay.
int copy_attributes(const Communicator& from, const Communicator& to);

// Deletes all attributes, the last one first. Stops at the first callback whose code is not MPI_SUCCESS, and returns
// that code.
int delete_attributes(const Communicator& communicator);

}  // namespace rehearse::smpi
