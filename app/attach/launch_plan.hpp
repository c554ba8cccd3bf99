// SPDX-License-Identifier: MIT
//
// The programs that an attached job starts, with their words, environments and files.
//
// Kinds:  copies: one of the program for each rank, on its host. openmpi, mpich: the launcher of that library once, on
//         the first host; it starts its helpers on other hosts with our launch agent, and fills the slots of a host
//         before those of the next one. once: the program once, on the first host.
// Errors: launch_kind: a launcher that is neither of Open MPI 4 nor of MPICH.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "simcore/support/result.hpp"

namespace rehearse::app {

enum class LaunchKind : std::uint8_t { copies, once, openmpi, mpich };

// Whether the kind depends on the program: mpirun, mpiexec and the like.
bool is_launcher(const std::string& program);
// `version`: what the launcher prints after --version.
Result<LaunchKind> launch_kind(const std::string& program, std::string_view version);

struct LaunchSubject {
  LaunchKind kind = LaunchKind::copies;
  std::vector<std::string> program;
  std::vector<std::string> hosts;        // names, by index
  std::vector<std::uint32_t> placement;  // host index of each rank
  std::string folder;                    // for files of the job; absolute
  double factor = 1;                     // above 1: programs are slowed down
  std::string slowing_library;
  std::int64_t realtime_ns = 0, monotonic_ns = 0;  // clocks at the start, which slowed programs continue
  bool is_root = false;
};

struct PlannedProgram {
  std::string name;  // for messages: `rank 3`, or the program
  std::uint32_t host = 0;
  std::vector<std::string> words;
  std::vector<std::string> environment;  // added: NAME=VALUE
};

struct LaunchPlan {
  std::vector<PlannedProgram> programs;
  std::vector<std::string> agent_environment;              // added for the programs that the agent starts
  std::vector<std::pair<std::string, std::string>> files;  // names in the folder, contents
};

// Names in the folder of the job.
inline constexpr const char* agent_file = "agent";
inline constexpr const char* host_list_file = "hosts.list";
inline constexpr const char* socket_file = "socket";
inline constexpr const char* temporary_folder = "tmp";

LaunchPlan make_plan(const LaunchSubject& subject);

// `base` with these settings; those with the same name replace the old ones. LD_PRELOAD is put in front of the old one.
std::vector<std::string> environment_with(std::vector<std::string> base, const std::vector<std::string>& added);

}  // namespace rehearse::app
