// SPDX-License-Identifier: MIT
//
// A stack on which execution can be suspended and continued, with its exceptions in flight.
//
// Protocol: prepare() makes a fiber that starts at its entry. switch_fiber() suspends a fiber, which may be the thread
//           itself (a Fiber without stack), and continues another one. An entry must not return; it switches away.
// Threads:  a fiber stays on the thread where it was prepared.
#pragma once

#include <cstdint>

#include "simcore/actor_context.hpp"

namespace rehearse {

struct Fiber {
  void* context = nullptr;  // where it continues, while it is suspended
  StackSpan stack;          // none: the stack of the thread
  void* caught = nullptr;   // exceptions in flight, while it is suspended (Itanium C++ ABI 2.2.2)
  unsigned int uncaught = 0;
  void (*entry)(Fiber&) = nullptr;
};

void prepare(Fiber& fiber, void (*entry)(Fiber&));

// `to` must be prepared or suspended. Returns when another fiber switches back to `from`.
void switch_fiber(Fiber& from, Fiber& to);

}  // namespace rehearse
