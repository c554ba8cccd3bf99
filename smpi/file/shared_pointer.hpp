// SPDX-License-Identifier: MIT
//
// The shared file pointer of a file.
//
// Method:  a collective call gets the pointer from its members, who all know it. A call of one member alone increases a
//          counter in a hidden window of member 0, as MPI_Fetch_and_op does. So explorations treat it like an atomic
//          element of a window: each order of such calls is an execution.
// Units:   etypes of the view.
// Source:  MPI 5.0, 14.4.4.
#pragma once

#include "smpi/file/file.hpp"

namespace rehearse::smpi {

// Makes the hidden window. Collective.
void open_shared_pointer(File& file, const char* call);
void close_shared_pointer(File& file);

// Moves the pointer by `etypes` and returns its old value; without collective use.
MPI_Offset take_from_shared_pointer(File& file, MPI_Offset etypes);

// Collective: the value of the pointer.
MPI_Offset agreed_shared_pointer(File& file, const char* call);
// All members set it behind agreed_shared_pointer().
void set_shared_pointer(File& file, MPI_Offset agreed, MPI_Offset value);

}  // namespace rehearse::smpi
