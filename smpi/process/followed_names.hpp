// SPDX-License-Identifier: MIT
//
// The functions that a program may use if the order of its threads is followed (thread_order.hpp).
#pragma once

#include "smpi/process/images.hpp"

namespace rehearse::smpi {

// Whether the program calls only functions whose effects on memory are known: they are reported by the compiler's
// instrumentation or by our own functions, or there are none that another thread can see but output.
bool uses_followed_names(const Images& images);

}  // namespace rehearse::smpi
