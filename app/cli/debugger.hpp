// SPDX-License-Identifier: MIT
//
// A counter-example under gdb: it stops where the replay has ended, and knows how to go to each rank's stack.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/verbs.hpp"
#include "simcore/program.hpp"
#include "smpi/process.hpp"

// Where debuggers stop.
extern "C" void rehearse_ranks_stand(const rehearse::smpi::RankStand* stands, std::uint64_t ranks);

namespace rehearse::cli {

// For whoever stops there: all ranks of a loaded program stand where they were left for good.
void let_debuggers_look(const smpi::LoadedProgram& program);

// Becomes gdb, which runs `rehearse replay` with these arguments but for --gdb and --rank, and shows the stack of one
// rank, or of all. Returns only if there is no gdb: the exit status.
int become_gdb(const Arguments& replay, std::optional<std::uint32_t> rank);

}  // namespace rehearse::cli
