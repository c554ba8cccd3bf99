// SPDX-License-Identifier: MIT
//
// From what the user typed to a loaded program.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "simcore/program.hpp"
#include "simcore/support/result.hpp"
#include "smpi/process.hpp"

namespace rehearse::mc {
struct ExploreOptions;
}

namespace rehearse::cli {

// The most ranks that -n accepts.
inline constexpr std::uint64_t ranks_max = 65536;

// The file that a shell would run: a name without '/' is searched in the current folder first, then
// along PATH. The error says where it was looked for.
Result<std::string> find_program(const std::string& name);

// How launch() has it loaded.
smpi::LaunchSpec launch_spec(const std::string& path, const std::vector<std::string>& arguments, std::uint32_t ranks);

// Loads the file with these arguments (argv[0] is the path) as so many ranks of an MPI program, in the environment
// of this process. `buffers`: what is looked at.
Result<std::unique_ptr<Program>> launch(const std::string& path, const std::vector<std::string>& arguments,
                                        std::uint32_t ranks, const smpi::BufferChecks& buffers);

// The same; what ranks write to files is forgotten.
Result<std::unique_ptr<Program>> launch_without_files(const std::string& path,
                                                      const std::vector<std::string>& arguments, std::uint32_t ranks,
                                                      const smpi::BufferChecks& buffers);

// The same, to be run many times: what ranks write to files is forgotten, and none can reach another's memory.
Result<std::unique_ptr<Program>> launch_to_explore(const std::string& path, const std::vector<std::string>& arguments,
                                                   std::uint32_t ranks, const smpi::BufferChecks& buffers,
                                                   const smpi::BarrierLook& barriers = {});

// The same, to see once more what was found by exploring.
Result<std::unique_ptr<Program>> launch_to_replay(const std::string& path, const std::vector<std::string>& arguments,
                                                  std::uint32_t ranks, const smpi::BufferChecks& buffers);

// Has whatever explores the program limit its steps, by `how`.
void limit_steps_of(Program& program, mc::ExploreOptions& how);

}  // namespace rehearse::cli
