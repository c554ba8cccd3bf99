// SPDX-License-Identifier: MIT
//
// Assertion that is always on. A broken invariant of Rehearse stops the program with exit status 70.
//
// Errors:  prints `rehearse internal error: FILE:LINE: CONDITION: MESSAGE` on standard error, then _exit(70).
// Threads: safe.
#pragma once

namespace rehearse {

// Reports a broken invariant and never returns. Can be called on an actor's stack.
[[noreturn]] void internal_error(const char* file, int line, const char* condition, const char* message);

}  // namespace rehearse

#define REHEARSE_ASSERT(condition, message) \
  ((condition) ? void(0) : ::rehearse::internal_error(__FILE__, __LINE__, #condition, message))
