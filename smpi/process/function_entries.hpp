// SPDX-License-Identifier: MIT
//
// Entries of functions that are sampled (--sample-function): in each rank's copy of the code, the first instructions
// become a jump to this file's stub.
//
// Run:     the stub restores the original instructions, changes the return address, and jumps to the function, which
//          runs as always. When it returns, the sample ends and the entry becomes the jump again. So calls of the
//          function by itself are a part of the execution.
// Skip:    the stub returns at once, with the rank's last return value of this function; 0 if it never ran there.
//          Returned: rax, rdx, xmm0, xmm1. A function that returns long double has another return register.
// Unwinding: stops at the stub. So an exception must not leave the function.
// Errors:  functions that are absent, ambiguous, shared by all ranks, or shorter than the jump.
// Threads: only the thread that runs the ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "simcore/support/result.hpp"
#include "smpi/process/rank_state.hpp"

namespace rehearse::smpi {

// The entry of the function, as an offset in a rank's range; 0: the program and its private libraries have none.
Result<std::uint64_t> find_entry(const RankWorld& world, const std::string& name);

// The error for a name that no program has.
Error no_function(const RankWorld& world, const std::string& name);

// `index`: of the function in LaunchSpec::sampled_functions.
Result<void> patch_entry(std::byte* entry, std::uint32_t index);

}  // namespace rehearse::smpi
