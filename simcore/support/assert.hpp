// SPDX-License-Identifier: MIT
//
// Always-on assertion: a broken invariant of ours stops the program with exit status 70.
//
// Errors:  prints `rehearse internal error: FILE:LINE: CONDITION: MESSAGE` on standard error, then _exit(70).
// Threads: safe.
#pragma once

namespace rehearse {

// Where a broken invariant ends. Never returns; usable on an actor's stack.
[[noreturn]] void internal_error(const char* file, int line, const char* condition, const char* message);

}  // namespace rehearse

#define REHEARSE_ASSERT(condition, message) \
  ((condition) ? void(0) : ::rehearse::internal_error(__FILE__, __LINE__, #condition, message))
