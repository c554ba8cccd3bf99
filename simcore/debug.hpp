// SPDX-License-Identifier: MIT
//
// Stacks and source lines, for reports.
//
// Errors:  unknown information is left empty; no function fails.
// Threads: capture_stack reads the current stack of the calling thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "simcore/program.hpp"

namespace rehearse {

// Writes the code addresses of the calling function and its callers, innermost first. Returns their number. For
// callers, the address is inside the call instruction, not the return address.
std::size_t capture_stack(std::span<std::uintptr_t> frames);

// An active function on the calling thread's stack: its memory there is [begin, end). The last word of it is the
// return address.
struct StackFrame {
  std::uintptr_t place = 0;  // in its code: the active call
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
};

// The frame whose memory contains this address; nothing if unknown. Costs a few microseconds per frame.
std::optional<StackFrame> find_stack_frame(std::uintptr_t address);

// As capture_stack, for the code that a signal interrupted; `context` is the argument of the handler (ucontext_t). The
// first address is that of the interrupted instruction. Can be called in the handler.
std::size_t capture_interrupted_stack(void* context, std::span<std::uintptr_t> frames);

// An active function: it has called the previous one.
struct ActiveFrame {
  std::uintptr_t address = 0;    // in the call instruction
  std::uintptr_t begin = 0;      // of the function's memory on the stack
  std::uintptr_t canonical = 0;  // the canonical frame address, after the return address to its caller
  // The addresses of the saved registers and the return address of its caller. Nothing else is there.
  std::array<std::uintptr_t, 8> saved = {};
  std::size_t saved_count = 0;
  std::array<std::uintptr_t, 16> registers = {};  // by DWARF number; only those that calls preserve
};

// Visits the active functions, the calling one first, until `visit` returns false.
void visit_stack(const std::function<bool(const ActiveFrame&)>& visit);

// Functions and lines of one ELF file. Reads the file's debugging information at the first query.
class SourceMap {
 public:
  explicit SourceMap(std::string path);
  ~SourceMap();
  SourceMap(SourceMap&&) noexcept;
  SourceMap& operator=(SourceMap&&) noexcept;

  // The function and line of `address` (of the file, before a base is added).
  Frame find(std::uint64_t address) const;
  // The same, followed by the calls of inlined functions there; not empty. Valid as long as the map.
  const std::vector<Frame>& find_all(std::uint64_t address) const;

 private:
  struct Tables;
  std::string path_;
  mutable std::unique_ptr<Tables> tables_;
};

}  // namespace rehearse
