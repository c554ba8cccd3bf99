// SPDX-License-Identifier: MIT
//
// One decoded instruction: the registers and memory that it reads and writes, and how data flows through it.
//
// Errors: an instruction that cannot be decoded, or whose accesses are not known, is `unsupported`.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "simcore/footprint/machine.hpp"

namespace rehearse::footprint {

inline constexpr std::uint8_t no_register = 0xff;
inline constexpr std::uint8_t vector_count = 32;
inline constexpr std::size_t vector_bytes = 64;

// An operand.
struct Place {
  enum class Kind : std::uint8_t { immediate, general, vector, memory, other } kind = Kind::other;
  std::uint8_t number = 0;      // of a register
  std::uint8_t first_byte = 0;  // of a general register: 1 for ah, ch, dh, bh
  bool reads = false, writes = false;
  bool writes_perhaps = false;
  std::uint16_t bytes = 0;
  // The address of memory: base + index * scale + value, in the thread's block if `in_thread_block`.
  std::uint8_t base = no_register, index = no_register, scale = 0;
  bool in_thread_block = false, is_short = false;  // short: an address of 32 bits
  std::uint64_t value = 0;                         // also of an immediate
};

// What an instruction does with data. All of them but `opaque` are refinements.
enum class Rule : std::uint8_t {
  unsupported,
  opaque,       // everything that it writes is a function of everything that it reads
  copy,         // operand 0 := operand 1; the rest of a register becomes zero or stays, see `clears_to`
  exchange,     // operands 0 and 1
  add,          // operand 0 += operand 1, integers
  subtract,     // likewise
  address,      // lea
  add_double,   // operand 0 := operand 1 + operand 2, in the lowest eight bytes
  sub_double,   // likewise
  clear,        // operand 0 becomes zero, whatever it was
  clear_upper,  // vzeroupper
  clear_all,    // vzeroall
  push,
  pop,
  leave,
  call,
  jump,
  jump_if,
  jump_if_zero,  // jrcxz, jecxz
  loop,
  give_back,     // ret
  copy_string,   // movs
  fill_string,   // stos
  scan_string,   // cmps, scas, lods
  save_all,      // fxsave, xsave and others
  load_all,      // fxrstor, xrstor
  enter_system,  // syscall
  float_status,  // stmxcsr
  outside,       // rdtsc and others: the result is not a function of registers and memory
  nothing
};

struct Instruction {
  static constexpr std::size_t places_max = 8;

  std::uint64_t address = 0;
  std::uint32_t next = 0;  // of Decoder: which one was executed after it
  Rule rule = Rule::unsupported;
  std::uint8_t length = 0;
  std::uint8_t place_count = 0;
  std::uint8_t condition = 0;       // of jump_if: the processor's number; of loop: 0 loopne, 1 loope, 2 loop
  std::uint16_t clears_to = 0;      // of copy to a vector: bytes up to here become zero
  bool is_vector_encoding = false;  // VEX or EVEX: writes whole vector registers
  Touches touches = Touches::all;
  bool repeats = false;  // a string operation with a prefix
  bool reads_flags = false, writes_flags = false, writes_all_flags = false;
  std::uint8_t mask = 0;             // of a store of elements that a mask selects: its register; 0: none
  std::uint8_t element_bytes = 0;    // of such a store
  std::uint8_t moved = no_register;  // this register contains the address of `moved_place` while the copy runs
  std::uint8_t moved_place = 0;
  mutable std::uint64_t read_in = 0;  // Shadow::code_number() when its code was read
  std::uint64_t compared_in = 0;      // likewise when its code was compared with the memory
  const std::byte* copy = nullptr;    // for Machine::run; null: not executed by the processor
  std::array<std::uint8_t, 15> code = {};
  std::array<Place, places_max> places = {};
};

}  // namespace rehearse::footprint
