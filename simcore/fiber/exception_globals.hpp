// SPDX-License-Identifier: MIT
//
// The C++ runtime's state of exceptions in flight. It is per thread, so each switch of fibers must swap it.
//
// Source: Itanium C++ ABI 2.2.2.
#pragma once

#include <cxxabi.h>

namespace rehearse {

struct ExceptionGlobals {
  void* caught = nullptr;
  unsigned int uncaught = 0;
};

// Of the calling thread.
inline ExceptionGlobals& exception_globals() { return *reinterpret_cast<ExceptionGlobals*>(abi::__cxa_get_globals()); }

}  // namespace rehearse
