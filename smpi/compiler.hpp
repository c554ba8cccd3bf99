// SPDX-License-Identifier: MIT
//
// The wrapper compilers: the user's compiler with the paths of mpi.h and libmpi_abi.
//
// What is added: -I and -g before the user's arguments (so that a -g0 or -g3 of the user wins); where the compiler
//        links, -L, -rpath and -lmpi_abi after them; -fPIE and -pie if the compiler does not make position-independent
//        executables by default and the user's options ask for no other kind.
//        --check-memory: the compiler's instrumentation for its thread sanitizer, without the sanitizer's library.
//        Without an input file nothing is added: the compiler itself answers, for instance to --version.
// Questions: -show, -showme (the command); -showme:compile, -compile-info; -showme:link, -link-info;
//        -showme:incdirs, libdirs, libs, command, version, help: the questions of configure scripts and CMake; --help
//        alone.
//        Fortran: -fallow-argument-mismatch, because the procedures of mpif.h take buffers of any type.
// Errors: an unknown question; for Fortran an option that makes INTEGER wider than MPI's.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "simcore/support/result.hpp"

namespace rehearse::smpi {

enum class Language { c, cxx, fortran };

struct InstalledFolders {
  std::string include_folder;      // of mpi.h
  std::string library_folder;      // of libmpi_abi.so
  std::string module_folder = {};  // of the modules mpi and mpi_f08, for Fortran
};

struct Toolchain {
  std::string compiler;   // a program and perhaps its first arguments: `ccache gcc`
  bool makes_pie = true;  // by default
  bool is_fortran = false;
};

struct CompilerPlan {
  std::vector<std::string> command;  // to execute, if there is no answer
  std::string answer;                // to print instead
};

Result<CompilerPlan> plan_compiler(Language language, std::span<const std::string> arguments,
                                   const InstalledFolders& folders, const Toolchain& toolchain);

// The compiler that -cc=NAME, -cxx=NAME or -fc=NAME among the arguments asks for; otherwise `preferred`, or cc, c++ and
// gfortran if that is empty.
std::string choose_compiler(Language language, std::span<const std::string> arguments, const std::string& preferred);

// Whether the compiler would get an input, or the arguments are a question about it.
bool needs_modules(std::span<const std::string> arguments);

// Whether the plan depends on Toolchain::makes_pie at all.
bool makes_code(std::span<const std::string> arguments);

// Runs the compiler to find its default. A compiler that cannot be run counts as true.
bool compiler_makes_pie(const std::string& compiler);

}  // namespace rehearse::smpi
