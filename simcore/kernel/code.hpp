// SPDX-License-Identifier: MIT
//
// Code of a computation (Exec::set_code), which CodeWorkers runs.
//
// Threads: while it is handed over and has not run, the place in the queue and `has_run` are protected by the lock of
//          CodeWorkers, and the rest belongs to the thread that runs it.
#pragma once

#include <exception>
#include <functional>

#include "simcore/kernel/intrusive_list.hpp"

namespace rehearse::sim::kernel {

struct CodePlace;
struct Code : Hook<CodePlace> {  // it waits for a thread
  std::function<void()> function;
  std::exception_ptr exception;  // of the last run
  double seconds = 0;            // of the last run, if it was measured
  bool is_handed_over = false;   // and not complete
  bool has_run = false;          // since it was handed over
};

}  // namespace rehearse::sim::kernel
