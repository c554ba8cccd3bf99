// SPDX-License-Identifier: MIT
//
// Decodes instructions, and remembers them. An instruction whose address depends on its place or on the thread's block
// gets another form for the Machine, with the address in a register.
//
// Library: Zydis.
#pragma once

#include <cstdint>
#include <memory>

#include "simcore/footprint/instruction.hpp"
#include "simcore/footprint/machine.hpp"
#include "simcore/footprint/own_pages.hpp"

namespace rehearse::footprint {

class Decoder {
 public:
  explicit Decoder(Machine& machine);
  ~Decoder();

  // The instruction at the address. Valid until the next call. `code_number`: of Shadow; while it is the same, code
  // does not change.
  const Instruction& at(std::uint64_t address, std::uint64_t code_number);

  // Forgets everything if there is little room for more.
  void make_room();

 private:
  struct Library;
  std::uint32_t find_or_add(std::uint64_t address);  // in `known_`
  void decode(std::uint64_t address, Instruction& into);
  void grow();

  Machine& machine_;
  Library* library_;
  PageVector<std::uint64_t> addresses_;  // a hash table; 0: free
  PageVector<std::uint32_t> numbers_;    // of the same places: in `known_`
  PageVector<Instruction> known_;        // in the order in which they were first executed
  std::uint32_t last_ = 0;               // in `known_`: what at() returned
};

}  // namespace rehearse::footprint
