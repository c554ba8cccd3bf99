// SPDX-License-Identifier: MIT
//
// What mpirun, mpiexec or srun set in the environment of the processes that they start.
//
// Source: mpirun(1) of Open MPI 4.1, mpiexec of MPICH (Hydra), srun(1).
#pragma once

#include "app/distribution.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::cli {

// The error is a text for the user, without the name of the option.
Result<app::LaunchedProcess> launched_process();

// Removes these variables, because they differ between the processes, and a checked program may read them.
void forget_launcher();

}  // namespace rehearse::cli
