// SPDX-License-Identifier: MIT
//
// rehearse c++ --actors: the compiler, told where the headers and archives of the actor API are.
//
// Shape: PREFIX/include/rehearse/{simcore,mc}, PREFIX/lib/rehearse/librehearse_*.a, in build and install trees.
#pragma once

#include <string>
#include <vector>

namespace rehearse::cli {

bool is_for_actors(const std::vector<std::string>& arguments);

// The command for these arguments, `--actors` among them. `compiler`: a program and perhaps its first arguments.
std::vector<std::string> actor_command(const std::vector<std::string>& arguments, const std::string& prefix,
                                       const std::string& compiler);

}  // namespace rehearse::cli
