// SPDX-License-Identifier: MIT
//
// The options that choose cost models and their numbers, by name and in a file.
//
// File:   lines `name value`, the names those of the options without dashes in front; # begins a comment. An option
//         on the command line goes before the same one in the file.
// Errors: the option or file:line, what was given, what is accepted.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "simcore/model_options.hpp"
#include "simcore/platform.hpp"

namespace rehearse::app {

struct ModelFlags {
  std::map<std::string, std::string> values;  // by name, as given
  std::string file;
  bool no_cross_traffic = false;
};

// Which options there are, by name.
struct ModelFlag {
  const char* name;
  const char* help;
};
std::vector<ModelFlag> model_flags();

Result<ModelOptions> make_model_options(const ModelFlags& flags);

// Whose routes a platform has under these options: those of the program that --compat names.
RoutesOf routes_of(const ModelOptions& options);

}  // namespace rehearse::app
