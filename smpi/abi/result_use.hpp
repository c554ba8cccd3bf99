// SPDX-License-Identifier: MIT
//
// Whether a program looks at the int that a function returned to it: reads the machine code from the return address on.
//
// Method: follows all paths until each overwrites eax without having read it, or calls unknown code, which the ABI lets
//         overwrite it. Callees whose code is known are followed too: compilers keep values in eax across calls of
//         functions that do not change it.
// Limits: x86-64. Only instructions that compilers emit around calls are known. Whatever is not known, and a store of
//         eax to memory, counts as a look: `is_result_ignored` is certain, its opposite is not.
// Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, appendix A (opcode maps).
#pragma once

#include <cstdint>
#include <span>

namespace rehearse::smpi {

// `code`: where the function returned to. `callers`: where that function itself will return to, and so on outwards, as
// far as that is known. All code is readable.
bool is_result_ignored(const std::uint8_t* code, std::span<const std::uint8_t* const> callers);

}  // namespace rehearse::smpi
