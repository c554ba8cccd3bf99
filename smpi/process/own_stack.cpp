// SPDX-License-Identifier: MIT
//
// See own_stack.hpp. The frame of the switch is found by rbp, which the unwind information names.
#include "smpi/process/own_stack.hpp"

#include <cstddef>
#include <cstdint>

namespace rehearse::smpi {
namespace {

constexpr std::size_t stack_bytes = std::size_t{512} << 10;

extern "C" void rehearse_call_on_stack(void (*function)(void*), void* argument, void* top);
asm(R"(
.text
.hidden rehearse_call_on_stack
.globl rehearse_call_on_stack
.type rehearse_call_on_stack, @function
rehearse_call_on_stack:
  .cfi_startproc
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  movq %rdx, %rsp
  movq %rdi, %rax
  movq %rsi, %rdi
  callq *%rax
  movq %rbp, %rsp
  popq %rbp
  .cfi_def_cfa %rsp, 8
  ret
  .cfi_endproc
.size rehearse_call_on_stack, . - rehearse_call_on_stack
)");

void call(void* argument) { (*static_cast<const std::function<void()>*>(argument))(); }

}  // namespace

OwnStack::OwnStack() : bytes_(new std::byte[stack_bytes]) {}
OwnStack::~OwnStack() = default;

void OwnStack::run(const std::function<void()>& function) const {
  const auto end = reinterpret_cast<std::uintptr_t>(bytes_.get()) + stack_bytes;
  rehearse_call_on_stack(call, const_cast<std::function<void()>*>(&function), reinterpret_cast<void*>(end & ~15UL));
}

}  // namespace rehearse::smpi
