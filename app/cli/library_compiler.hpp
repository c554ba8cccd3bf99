// SPDX-License-Identifier: MIT
//
// rehearse c++ --actors and --api: the compiler, which finds the headers and archives of Rehearse itself: for programs
// of actors, and for programs that check others.
//
// Shape: PREFIX/include/rehearse/{simcore,mc...}, PREFIX/lib/rehearse/librehearse_*.a, in build and install trees.
#pragma once

#include <string>
#include <vector>

namespace rehearse::cli {

// The option among the arguments that asks for it; empty: there is none.
std::string library_option(const std::vector<std::string>& arguments);

// The command for these arguments, the option among them. `compiler`: a program and perhaps its first arguments.
std::vector<std::string> library_command(const std::vector<std::string>& arguments, const std::string& prefix,
                                         const std::string& compiler);

}  // namespace rehearse::cli
