// SPDX-License-Identifier: MIT
//
// Stacks and source lines, for reports.
//
// Errors:  what cannot be found is left empty; nothing here fails.
// Threads: capture_stack is for the calling thread's current stack, whichever that is.
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

// Writes the code addresses of the calling function and its callers, innermost first; returns how many. Callers are
// given by an address inside the call instruction, not by the return address.
std::size_t capture_stack(std::span<std::uintptr_t> frames);

// An active function on the calling thread's stack: its memory there is [begin, end), the last word of which is the
// address that it returns to.
struct StackFrame {
  std::uintptr_t place = 0;  // in its code: the call in which it is
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
};

// That whose memory holds this address; nothing where it is not known. Costs a few microseconds per frame.
std::optional<StackFrame> find_stack_frame(std::uintptr_t address);

// As capture_stack where a signal interrupted; `context` is what the handler was given (ucontext_t). The first address
// is that of the interrupted instruction. Usable in the handler.
std::size_t capture_interrupted_stack(void* context, std::span<std::uintptr_t> frames);

// A function that is active: it has called the one before it.
struct ActiveFrame {
  std::uintptr_t address = 0;    // in the call instruction
  std::uintptr_t begin = 0;      // of what the function has on the stack
  std::uintptr_t canonical = 0;  // the canonical frame address, behind the return address to its caller
  // Where it keeps the registers and return address of its caller: nothing else lies there.
  std::array<std::uintptr_t, 8> saved = {};
  std::size_t saved_count = 0;
  std::array<std::uintptr_t, 16> registers = {};  // as DWARF counts them; only those that calls preserve
};

// Shows the active functions, the calling one first, until `visit` returns false.
void visit_stack(const std::function<bool(const ActiveFrame&)>& visit);

// Functions and lines of one ELF file. Reads the file's debugging information when first asked.
class SourceMap {
 public:
  explicit SourceMap(std::string path);
  ~SourceMap();
  SourceMap(SourceMap&&) noexcept;
  SourceMap& operator=(SourceMap&&) noexcept;

  // Where `address` (of the file, before a base is added) comes from.
  Frame find(std::uint64_t address) const;
  // The same, and behind it where each function that was made part of another one is called there; not empty. Valid as
  // long as the map.
  const std::vector<Frame>& find_all(std::uint64_t address) const;

 private:
  struct Tables;
  std::string path_;
  mutable std::unique_ptr<Tables> tables_;
};

}  // namespace rehearse
