// SPDX-License-Identifier: MIT
//
// The processes of `mpirun -n N rehearse check --distributed`: the first one explores, the others help it.
//
// A launcher (mpirun, mpiexec, srun) starts the processes and gives them numbers. They do not call a real MPI: it would
// end all of them if one machine failed. The first process writes its addresses and a secret to a file in the working
// folder, which all processes share, and the others connect to it by TCP.
//
// Security: the file can be read by its owner only. A connection without the secret of 128 bits is closed.
// Errors:   texts for the user, without the name of the option.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mc/explore_options.hpp"
#include "simcore/stop_token.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::app {

struct LaunchedProcess {
  std::uint32_t number = 0, processes = 1;
  std::string job;  // differs between the jobs of one launcher; may be empty
};

// What both sides must agree on.
struct Meeting {
  LaunchedProcess process;
  std::string identity;       // of the check: the executable, the program, and the options
  std::uint32_t workers = 1;  // of each process
  double seconds = 60;        // how long to wait for the others
};

// The number of workers of the other processes.
std::size_t helpers_wanted(const Meeting& meeting);

// In the first process: waits for them, and returns those that connected in time. The caller closes the descriptors.
Result<std::vector<mc::Helper>> await_helpers(const Meeting& meeting, const StopToken& stop);

// In the others: connects each worker to the first process. The caller closes the descriptors.
Result<std::vector<int>> join(const Meeting& meeting);

}  // namespace rehearse::app
