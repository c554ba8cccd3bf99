// SPDX-License-Identifier: MIT
//
// rehearse c++ --actors and --api: the C++ compiler with the headers and archives of Rehearse, for programs of actors
// and for programs that check others.
//
// Shape: PREFIX/include/rehearse/{simcore,mc...}, PREFIX/lib/rehearse/librehearse_*.a, in build and install trees.
#pragma once

#include <string>
#include <vector>

namespace rehearse::cli {

// The option among the arguments that selects this; empty: none.
std::string library_option(const std::vector<std::string>& arguments);

// The command for these arguments, which contain the option. `compiler`: a program, perhaps with its first arguments.
std::vector<std::string> library_command(const std::vector<std::string>& arguments, const std::string& prefix,
                                         const std::string& compiler);

}  // namespace rehearse::cli
