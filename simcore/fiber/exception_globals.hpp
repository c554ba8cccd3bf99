// SPDX-License-Identifier: MIT
//
// The C++ runtime's exceptions in flight: per thread, so swapped with whatever runs on the thread.
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
