// SPDX-License-Identifier: MIT
//
// The table of verbs of `rehearse VERB ...`.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rehearse::cli {

// The command line after the verb.
using Arguments = std::vector<std::string>;

struct Verb {
  std::string_view name;
  std::string_view summary;
  int (*run)(const Arguments& arguments);  // returns the exit status
};

std::span<const Verb> verbs();

// Null: there is no verb with that name.
const Verb* find_verb(std::string_view name);

// `arguments`: the command line after the program's name. Returns the exit status.
int run_command_line(const Arguments& arguments);

int run_attach(const Arguments& arguments);
int run_c_compiler(const Arguments& arguments);
int run_calibrate(const Arguments& arguments);
int run_check(const Arguments& arguments);
int run_compare(const Arguments& arguments);
int run_usage(const Arguments& arguments);
int run_compare_models(const Arguments& arguments);
int run_cxx_compiler(const Arguments& arguments);
int run_fortran_compiler(const Arguments& arguments);
int run_explain(const Arguments& arguments);
int run_flows(const Arguments& arguments);
int run_grade(const Arguments& arguments);
int run_list(const Arguments& arguments);
int run_mpiexec(const Arguments& arguments);
int run_platform(const Arguments& arguments);
int run_for_real(const Arguments& arguments);
int run_proof(const Arguments& arguments);
int run_replay(const Arguments& arguments);
int run_run(const Arguments& arguments);
int run_skeleton(const Arguments& arguments);
int run_sweep(const Arguments& arguments);
int run_trace(const Arguments& arguments);

}  // namespace rehearse::cli
