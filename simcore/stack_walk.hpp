// SPDX-License-Identifier: MIT
//
// The active functions on the calling thread's stack and their registers, quickly.
//
// Method:  libgcc finds unwind tables without locks and system calls, which take most of visit_stack's time. It does
//          not tell where registers are saved. libunwind has functions of the same names; programs must be linked with
//          libgcc_s before it.
// Errors:  unknown code ends the walk.
// Threads: reads the current stack of the calling thread.
#pragma once

#include <functional>

#include "simcore/debug.hpp"

namespace rehearse {

// As visit_stack, but without ActiveFrame::saved.
void walk_stack(const std::function<bool(const ActiveFrame&)>& visit);

}  // namespace rehearse
