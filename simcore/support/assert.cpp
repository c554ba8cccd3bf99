// SPDX-License-Identifier: MIT
//
// Ends the run after a broken invariant: no allocation, no exceptions, no unwinding.
#include "simcore/support/assert.hpp"

#include <unistd.h>

#include <cstdio>

namespace rehearse {

void internal_error(const char* file, int line, const char* condition, const char* message) {
  char text[1024];
  const int length =
      std::snprintf(text, sizeof text, "rehearse internal error: %s:%d: %s: %s\n", file, line, condition, message);
  if (length > 0) (void)!::write(2, text, static_cast<std::size_t>(length) < sizeof text ? length : sizeof text);
  _exit(70);
}

}  // namespace rehearse
