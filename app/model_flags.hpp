// SPDX-License-Identifier: MIT
//
// The options that choose cost models and set their numbers, on the command line and in a file.
//
// File:   lines `name value`, with the names of the options without their dashes; # begins a comment. An option on the
//         command line overrides the same one in the file, or is added to it if it can be repeated.
// Errors: the option or file:line, the value, the accepted values.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "simcore/model_options.hpp"
#include "simcore/platform.hpp"

namespace rehearse::app {

struct ModelFlags {
  std::map<std::string, std::string> values;  // by name, as given; of an option that can be repeated: a line for each
  std::string file;
  bool no_cross_traffic = false;
  std::optional<std::uint64_t> seed = {};           // of all random numbers whose own seed is not given
  std::function<void(TimePoint)> on_progress = {};  // ModelOptions::on_progress
  bool without_packet_keys = false;      // those given, losses included, are for other models of a comparison
  bool without_slow_hosts = false;       // likewise
  bool without_library_numbers = false;  // likewise, those of the model `mpi` alone
};

// The names of the options.
struct ModelFlag {
  const char* name;
  const char* help;
  bool is_repeatable = false;
};
std::vector<ModelFlag> model_flags();

Result<ModelOptions> make_model_options(const ModelFlags& flags);

// The platform of these options: a built-in one or an XML file, with the links of slow hosts changed.
Result<Platform> make_platform_for(const std::string& name_or_file, const ModelOptions& options);

// The source of routes under these options: SimGrid itself with --compat simgrid, otherwise its documentation.
RoutesOf routes_of(const ModelOptions& options);

}  // namespace rehearse::app
