// SPDX-License-Identifier: MIT
//
// The options that choose cost models and set their numbers, on the command line and in a file.
//
// File:   lines `name value`, with the names of the options without their dashes; # begins a comment. An option on the
//         command line overrides the same one in the file.
// Errors: the option or file:line, the value, the accepted values.
#pragma once

#include <functional>
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
  std::function<void(TimePoint)> on_progress = {};  // ModelOptions::on_progress
  bool without_packet_keys = false;                 // those given are for other models of a comparison
  bool without_library_numbers = false;             // likewise, those of the model `mpi` alone
};

// The names of the options.
struct ModelFlag {
  const char* name;
  const char* help;
};
std::vector<ModelFlag> model_flags();

Result<ModelOptions> make_model_options(const ModelFlags& flags);

// The source of routes under these options: SimGrid itself with --compat simgrid, otherwise its documentation.
RoutesOf routes_of(const ModelOptions& options);

}  // namespace rehearse::app
