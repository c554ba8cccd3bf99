// SPDX-License-Identifier: MIT
//
// Attributes of communicators: values that the program attaches under keys of its own, with
// callbacks.
//
// Source: MPI 5.0, 7.7. A freed key lives while an attribute uses it.
#pragma once

#include "smpi/communicator/communicator.hpp"

namespace rehearse::smpi {

// Copies the attributes that `from`'s copy callbacks want copied. Returns the first callback's code
// that is not MPI_SUCCESS; what was copied before it stays.
int copy_attributes(const Communicator& from, const Communicator& to);

// Deletes all attributes, the last set first. Returns the first callback's code that is not
// MPI_SUCCESS, which stops it.
int delete_attributes(const Communicator& communicator);

}  // namespace rehearse::smpi
