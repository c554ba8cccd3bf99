// SPDX-License-Identifier: MIT
//
// A verb that is followed by a command: `rehearse platform route`, `rehearse trace replay`.
#pragma once

#include <span>
#include <string_view>

#include "app/cli/verbs.hpp"

namespace rehearse::cli {

struct CommandGroup {
  std::string_view verb;
  std::string_view example;
  std::span<const Verb> commands;
};

// Runs the command that the first argument names, or prints the help text of the verb. Returns the exit status.
int run_command_of(const CommandGroup& group, const Arguments& arguments);

}  // namespace rehearse::cli
