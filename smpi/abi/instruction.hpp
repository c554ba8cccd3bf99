// SPDX-License-Identifier: MIT
//
// One machine instruction of x86-64, as far as it matters to a value in eax: how long it is, whether it reads or
// overwrites rax, and where the program continues.
//
// Limits: what is not known is `unknown`: system and string instructions, AVX-512, most of what compilers do not emit.
// Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, appendix A (opcode maps).
#pragma once

#include <cstdint>

namespace rehearse::smpi {

struct Instruction {
  enum class Next : std::uint8_t {
    falls_through,
    jumps,     // to `target`
    branches,  // there, or on
    calls,     // `target`
    returns,
    leaves,       // to code that is not known here: through a pointer of the dynamic linker
    calls_other,  // code that is not known here, and comes back
    ends,         // ud2: nothing comes behind it
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
