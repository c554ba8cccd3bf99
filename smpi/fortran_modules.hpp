// SPDX-License-Identifier: MIT
//
// The modules mpi and mpi_f08, compiled for the user's Fortran compiler: their files are specific to a compiler and its
// version. They are made at the first use and kept in a folder of the user.
//
// Shape:   CACHE/fortran-KEY/mpi.mod, mpi_f08.mod and librehearse_fortran.a; KEY depends on the compiler's version and
// on
//          the sources of the modules.
// Errors:  the compiler cannot be run, is not gfortran, or fails; the folder cannot be written.
// Threads: several processes may make the modules at once; one of them puts the folder in its place.
#pragma once

#include <string>

#include "simcore/support/result.hpp"

namespace rehearse::smpi {

struct ModuleRequest {
  std::string compiler;       // a program and perhaps its first arguments
  std::string source_folder;  // of mpi.f90 and mpi_f08.f90
  std::string cache_folder;   // made if it is missing
};

// The folder of the modules.
Result<std::string> make_fortran_modules(const ModuleRequest& request);

// The first line of the compiler's answer to --version; empty: it cannot be run.
std::string compiler_version(const std::string& compiler);

}  // namespace rehearse::smpi
