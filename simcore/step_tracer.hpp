// SPDX-License-Identifier: MIT
//
// Runs code of an actor instruction by instruction and keeps its footprint. For implementations of StepFootprints.
//
// Protocol: begin(), then call() any number of times, then end(). A called function runs on a stack of its own and may
//           switch to other stacks; when it returns, call() returns.
// Errors:   an instruction that is not supported, a fault, and too many instructions in code of the watched range end
//           the call in the middle (Footprint::is_broken).
// Threads:  one call at a time in the process.
#pragma once

#include <cstdint>
#include <memory>

#include "simcore/footprint.hpp"

namespace rehearse {

// The memory of an actor: [begin, end).
struct WatchedRange {
  std::uint64_t begin = 0, end = 0;
  // The stack in it. Memory below the stack pointer is dead before and after the step.
  std::uint64_t stack_begin = 0, stack_end = 0;
  std::uint64_t stack_pointer = 0;  // before the step
};

class StepTracer {
 public:
  StepTracer();
  ~StepTracer();
  StepTracer(const StepTracer&) = delete;
  StepTracer& operator=(const StepTracer&) = delete;

  // False: the kernel permits no code made at run time, or the processor lacks XSAVE.
  bool is_there() const;

  void begin(const WatchedRange& range);
  // Calls function(first, second). The thread-local variables of the code are at `thread_pointer`.
  void call(void (*function)(void*, const void*), void* first, const void* second, std::uint64_t thread_pointer);
  // Between two calls: the step depends on these bytes.
  void note_read(std::uint64_t address, std::size_t bytes);
  bool is_broken() const;
  Footprint end(std::uint64_t stack_pointer);

 private:
  class Tracer;
  std::unique_ptr<Tracer> tracer_;
};

}  // namespace rehearse
