// SPDX-License-Identifier: MIT
//
// A stack that can be left and come back to, with the exceptions that are in flight on it.
//
// Protocol: prepare() puts a fiber before its first instruction; switch_fiber() leaves one, which may be the thread's
//           own (a Fiber without stack), for another. An entry must not return: it switches away for good.
// Threads:  a fiber stays on the thread where it was prepared.
#pragma once

#include <cstdint>

#include "simcore/actor_context.hpp"

namespace rehearse {

struct Fiber {
  void* context = nullptr;  // where it continues; only while it is left
  StackSpan stack;          // none: the thread's own
  void* caught = nullptr;   // exceptions in flight, while it is left (Itanium C++ ABI 2.2.2)
  unsigned int uncaught = 0;
  void (*entry)(Fiber&) = nullptr;
};

void prepare(Fiber& fiber, void (*entry)(Fiber&));

// `to` was prepared or left. Returns when somebody switches back to `from`.
void switch_fiber(Fiber& from, Fiber& to);

}  // namespace rehearse
