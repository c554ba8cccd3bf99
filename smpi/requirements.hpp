// SPDX-License-Identifier: MIT
//
// The imported functions of a program and its private libraries: MPI functions, and functions that a rank must not
// call. A program does not have to call all functions that it imports.
//
// Errors: as load_program(): the reason why the program cannot be loaded.
// Limits: functions that are looked up at run time (dlsym) are not found. Of system libraries only imports from MPI
//         count: libstdc++ imports pthread_create, but that does not mean that the program starts threads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simcore/support/result.hpp"
#include "smpi/process.hpp"

namespace rehearse::smpi {

struct RequiredFunction {
  enum class Support : std::uint8_t {
    implemented,
    unsupported,  // known; a call ends the rank with the name of the function
    unknown       // no library has it: the program does not start
  };
  std::string name;
  Support support = Support::implemented;
  std::string reason;                  // why it is not implemented; empty if it is implemented
  std::vector<std::string> needed_by;  // the files that refer to it
};

// The MPI library for which the program's file was compiled ("MPICH", "Open MPI"); empty: the standard's ABI, or the
// file cannot be read.
std::string_view foreign_library_of(const std::string& path);

// Whether a program of the job, or one of its private libraries, imports a function that starts ranks (MPI_Comm_spawn,
// MPI_Comm_spawn_multiple). False if a file cannot be read.
bool may_start_ranks(const LaunchSpec& spec);

// Sorted by name.
Result<std::vector<RequiredFunction>> required_functions(const LaunchSpec& spec);

}  // namespace rehearse::smpi
