// SPDX-License-Identifier: MIT
//
// Clears the stack after code that looks into tables in the driver's memory. Such code leaves addresses of the driver's
// heap on the rank's stack, which depend on everything that the driver has done. Frames of the same call of MPI come to
// lie there later, and have gaps.
//
// Cost: in explorations, that of clearing call_depth_bytes; otherwise a call by pointer.
#pragma once

namespace rehearse::smpi {

namespace detail {
void run_and_clear(void (*function)(void*), void* argument);
}

// Runs function(). If the rank's calls clear the stack (dead_stack.hpp), all stack below the caller's frame is zero
// behind it.
template <class Function>
void clear_after(Function&& function) {
  detail::run_and_clear([](void* argument) { (*static_cast<Function*>(argument))(); }, &function);
}

}  // namespace rehearse::smpi
