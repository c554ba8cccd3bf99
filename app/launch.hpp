// SPDX-License-Identifier: MIT
//
// Loads the program of a job.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/job.hpp"
#include "simcore/program.hpp"
#include "simcore/support/result.hpp"
#include "smpi/process.hpp"

namespace rehearse::mc {
struct ExploreOptions;
}

namespace rehearse::app {

// The most ranks that -n accepts.
inline constexpr std::uint64_t ranks_max = 65536;

// The specification with which launch() loads it.
smpi::LaunchSpec launch_spec(const Job& job);

// Loads the programs of the job (argv[0] is the path), in the environment of this process.
Result<std::unique_ptr<smpi::LoadedProgram>> launch(const Job& job);

// The same; files that ranks write are discarded.
Result<std::unique_ptr<smpi::LoadedProgram>> launch_without_files(const Job& job);

// The same, for many executions: files that ranks write are discarded, and no rank can access another's memory.
Result<std::unique_ptr<smpi::LoadedProgram>> launch_to_explore(const Job& job,
                                                               const smpi::BarrierSearch& barriers = {});

// The same, for explorations of states: numbers that otherwise only grow come again (smpi/repeated_states.hpp), and
// buffers are not checked.
Result<std::unique_ptr<smpi::LoadedProgram>> launch_to_repeat(const Job& job);

// The same, to reproduce a finding of an exploration.
Result<std::unique_ptr<smpi::LoadedProgram>> launch_to_replay(const Job& job);

// Makes the exploration limit the steps of the program, by `how`.
void limit_steps_of(smpi::LoadedProgram& program, mc::ExploreOptions& how);

}  // namespace rehearse::app
