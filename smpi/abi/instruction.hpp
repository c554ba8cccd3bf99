// SPDX-License-Identifier: MIT
//
// The properties of one x86-64 instruction that concern a value in eax: its length, whether it reads or overwrites rax,
// and where the program continues.
//
// Limits: `unknown` are system and string instructions, AVX-512, and most instructions that compilers do not emit.
// Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, appendix A (opcode maps).
#pragma once

#include <cstdint>

namespace rehearse::smpi {

struct Instruction {
  enum class Next : std::uint8_t {
    falls_through,
    jumps,     // to `target`
    branches,  // to `target`, or to the next instruction
    calls,     // `target`
    returns,
    leaves,       // to unknown code, through a pointer of the dynamic linker
    calls_other,  // unknown code, which returns
    ends,         // ud2: the program does not continue
    unknown,
  };

  Next next = Next::unknown;
  bool reads = false;       // rax or a part of it
  bool overwrites = false;  // eax as a whole, without reading it
  std::uint8_t bytes = 0;
  const std::uint8_t* target = nullptr;
};

Instruction decode(const std::uint8_t* code);

}  // namespace rehearse::smpi
