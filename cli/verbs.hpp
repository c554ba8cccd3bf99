// SPDX-License-Identifier: MIT
//
// What `rehearse` can be told to do. To add a verb: write cli/verb_NAME.cpp, declare its function here, and
// add a line to the table in verbs.cpp.
//
// Errors: a verb reports its own and returns the exit status (architecture: 0, 1, 2 or 3).
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace rehearse::cli {

struct Verb {
  std::string_view name;
  std::string_view summary;  // one line of --help
  int (*run)(std::span<const std::string> arguments);  // those behind the verb
};

std::span<const Verb> verbs();

// Null if there is none of that name.
const Verb* find_verb(std::string_view name);

// Prints `rehearse: error: text` on standard error and returns 2, the exit status of wrong input.
int input_error(std::string_view text);

int run_c_compiler(std::span<const std::string> arguments);
int run_cxx_compiler(std::span<const std::string> arguments);
int run_mpiexec(std::span<const std::string> arguments);

}  // namespace rehearse::cli
