// SPDX-License-Identifier: MIT
//
// From a job to a loaded program.
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

// How launch() has it loaded.
smpi::LaunchSpec launch_spec(const Job& job);

// Loads the programs of the job (argv[0] is the path), in the environment of this process.
Result<std::unique_ptr<smpi::LoadedProgram>> launch(const Job& job);

// The same; what ranks write to files is forgotten.
Result<std::unique_ptr<smpi::LoadedProgram>> launch_without_files(const Job& job);

// The same, to be run many times: what ranks write to files is forgotten, and none can reach another's memory.
Result<std::unique_ptr<smpi::LoadedProgram>> launch_to_explore(const Job& job, const smpi::BarrierLook& barriers = {});

// The same, to see once more what was found by exploring.
Result<std::unique_ptr<smpi::LoadedProgram>> launch_to_replay(const Job& job);

// Has whatever explores the program limit its steps, by `how`.
void limit_steps_of(smpi::LoadedProgram& program, mc::ExploreOptions& how);

}  // namespace rehearse::app
