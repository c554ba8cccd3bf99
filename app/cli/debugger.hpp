// SPDX-License-Identifier: MIT
//
// A counter-example under gdb: gdb stops at the end of the replay, and can show the stack of each rank.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/verbs.hpp"
#include "simcore/program.hpp"
#include "smpi/process.hpp"

// Debuggers set a breakpoint on this function.
extern "C" void rehearse_ranks_stand(const rehearse::smpi::RankPosition* stands, std::uint64_t ranks);

namespace rehearse::cli {

// Calls rehearse_ranks_stand() with the final states of all ranks, so that a debugger can show them.
void stop_for_debuggers(const smpi::LoadedProgram& program);

// Replaces this process by gdb. It runs `rehearse replay` with these arguments except --gdb and --rank, and shows the
// stack of one rank, or of all. Returns only if gdb cannot be run: the exit status.
int become_gdb(const Arguments& replay, std::optional<std::uint32_t> rank);

}  // namespace rehearse::cli
