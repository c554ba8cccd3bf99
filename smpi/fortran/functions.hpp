// SPDX-License-Identifier: MIT
//
// Functions of the program that were passed in Fortran: operators and error handlers, which have no data of their own
// that could say so. They get handles as INTEGER.
//
// Threads: one set per rank; only on a rank.
#pragma once

#include "mpi.h"
#include "smpi/abi/integer_handles.hpp"

namespace rehearse::smpi::fortran {

void note_function(const void* function);
bool is_function(const void* function);

// Calls an error handler of the program, in the language in which it was passed.
template <class Handle, class Function>
void call_error_handler(Function* function, Handle* handle, int* code) {
  if (!is_function(reinterpret_cast<const void*>(function))) return function(handle, code);
  int number = integer_of_handle(*handle);
  reinterpret_cast<void (*)(int*, int*)>(function)(&number, code);
}

}  // namespace rehearse::smpi::fortran
