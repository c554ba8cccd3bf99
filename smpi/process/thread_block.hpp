// SPDX-License-Identifier: MIT
//
// A rank's thread-local storage: a copy of this process's static block with the rank's own variables in the part next
// to the thread pointer, switched by the FS register.
//
// Why:     executables address their thread-local variables at fixed distances below the thread pointer (local-exec
//          model), where this process also has its own. So this process reserves tls_reserve_bytes there, as the last
//          item of its thread-local segment, and each rank has its own thread pointer.
// Layout:  from the bottom: the libraries' and our thread-local variables, the reserve, then (at the thread
//          pointer) the thread control block. Our own code on a rank sees the rank's copy of every thread_local: those
//          of libc as they were when the rank was made, all others initial.
// Threads: made and used on one thread.
// Source:  U. Drepper, ELF Handling For Thread-Local Storage, variant II.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "simcore/support/result.hpp"

namespace rehearse::smpi {

inline constexpr std::size_t tls_reserve_bytes = std::size_t{128} << 10;

// The template of each rank's block, taken once per program.
class ThreadTemplate {
 public:
  static Result<ThreadTemplate> take();

  std::size_t below() const { return image_.size() + reserve_begin_; }  // bytes used below the thread pointer
  std::size_t reserve_begin() const { return reserve_begin_; }          // distance below the thread pointer
  std::size_t control_bytes() const { return control_.size(); }         // from the thread pointer on
  std::size_t page_phase() const { return page_phase_; }                // thread pointer modulo page, which must stay
  std::size_t vector_bytes() const;                                     // of the table of dynamic blocks

  // Writes an initial block around `thread_pointer`, and the table of dynamic blocks to `vector`. The caller writes the
  // reserve.
  void make(std::byte* thread_pointer, std::byte* vector) const;

 private:
  std::vector<std::byte> image_;  // from the lowest variable to the reserve
  std::vector<std::byte> control_;
  std::vector<std::uintptr_t> dynamic_;  // distance of block i below the thread pointer; 0: none
  std::size_t generation_ = 0;
  std::size_t reserve_begin_ = 0;
  std::size_t page_phase_ = 0;
};

std::byte* current_thread_pointer();

// Sets the thread pointer of the running thread. The caller uses no thread-local variable around the call.
class ThreadPointerSetter {
 public:
  ThreadPointerSetter();
  bool by_instruction() const { return by_instruction_; }  // false: by a system call
  void set(std::byte* thread_pointer) const {
    if (by_instruction_) asm volatile("wrfsbase %0" : : "r"(thread_pointer) : "memory");
    else set_by_kernel(thread_pointer);
  }

 private:
  static void set_by_kernel(std::byte* thread_pointer);
  bool by_instruction_;  // FSGSBASE
};

}  // namespace rehearse::smpi
