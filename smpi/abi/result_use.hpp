// SPDX-License-Identifier: MIT
//
// Finds out whether a program reads the int that a function has returned, from the machine code behind the return
// address.
//
// Method: follows all paths until each overwrites eax without having read it, or calls unknown code, which the ABI lets
//         overwrite it. Callees whose code is known are followed too: compilers keep values in eax across calls of
//         functions that do not change it.
// Limits: x86-64. Only instructions that compilers emit around calls are known. An unknown instruction, or a store of
//         eax to memory, counts as a read. So true is certain, and false is not.
// Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, appendix A (opcode maps).
#pragma once

#include <cstdint>
#include <span>

namespace rehearse::smpi {

// `code`: the return address of the function. `callers`: the return addresses of its caller, and so on outwards, as far
// as they are known. All code is readable.
bool is_result_ignored(const std::uint8_t* code, std::span<const std::uint8_t* const> callers);

}  // namespace rehearse::smpi
