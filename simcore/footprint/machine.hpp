// SPDX-License-Identifier: MIT
//
// Executes single instructions of an actor on the processor, with the actor's registers: the processor computes, not
// an emulator, so every instruction that the processor has is supported.
//
// Method:  a piece of code loads the actor's registers, runs a copy of one instruction, saves the registers and
//          returns. The flags, and the vector and x87 registers, are only exchanged for instructions that can touch
//          them.
// Faults:  while an object is active, a fault of a copied instruction ends run() with false. Other faults go to the
//          handlers that were there before.
// Units:   bytes.
// Threads: one active Machine in the process; all calls from one thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace rehearse::footprint {

inline constexpr std::uint8_t general_count = 16;  // in the order of the processor: rax, rcx, rdx, rbx, rsp, ...
inline constexpr std::uint8_t rax = 0, rcx = 1, rdx = 2, rbx = 3, rsp = 4, rbp = 5, rsi = 6, rdi = 7, r11 = 11;

// The registers that an instruction may touch.
enum class Touches : std::uint8_t { general, flags, all };  // flags: and general registers

class Machine {
 public:
  Machine();
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  // False: the kernel permits no code made at run time, or the processor lacks XSAVE.
  bool is_there() const { return base_ != nullptr; }

  std::array<std::uint64_t, general_count>& general() { return state().general; }
  std::uint64_t& flags() { return state().flags; }
  std::uint32_t mxcsr() const;
  std::uint64_t vector_low(std::uint8_t number) const;  // the lowest eight bytes; numbers below 16
  std::uint64_t mask(std::uint8_t number) const;        // a mask register of AVX-512: the lowest bit selects element 0

  // Takes over the vector registers of the caller, as at a call.
  void begin();

  // From begin_faults() to end_faults(), faults of instructions are caught.
  void begin_faults();
  void end_faults();

  // A copy of the instruction that run() can execute; null: no room, forget_all() makes room.
  const std::byte* add(std::span<const std::uint8_t> code, Touches touches);
  void forget_all();

  // False: the instruction faulted, and the registers are undefined.
  bool run(const std::byte* copy, Touches touches);  // `touches`: as in add()

  // Reads or writes eight bytes of memory. False: it is not accessible.
  bool peek(std::uint64_t address, std::uint64_t& value) const { return peek_(address, value); }
  bool poke(std::uint64_t address, std::uint64_t value) const { return poke_(address, value); }

  std::size_t vector_area_bytes() const { return vector_bytes_; }  // what an XSAVE writes at most
  bool is_nearly_full() const { return next_ - first_ > (end_ - first_) / 2; }

 private:
  struct State {
    std::array<std::uint64_t, general_count> general;
    std::uint64_t flags, host_stack, target, host_mxcsr;
  };
  friend struct FaultHandler;

  State& state() const { return *reinterpret_cast<State*>(base_); }
  std::byte* make_entry(std::byte* at, Touches touches);
  std::byte* make_exit(std::byte* at, Touches touches);
  std::byte* make_accesses(std::byte* at);

  std::byte* base_ = nullptr;
  std::size_t vector_bytes_ = 0, masks_offset_ = 0;
  std::byte* vectors_ = nullptr;
  std::byte *entry_[3] = {}, *exit_[3] = {};  // by Touches
  bool (*peek_)(std::uint64_t, std::uint64_t&) = nullptr;
  bool (*poke_)(std::uint64_t, std::uint64_t) = nullptr;
  std::byte* accesses_ = nullptr;   // the code of these functions
  std::byte* no_access_ = nullptr;  // where they continue after a fault
  std::byte *first_ = nullptr, *next_ = nullptr, *end_ = nullptr;
  bool has_faulted_ = false;
};

}  // namespace rehearse::footprint
