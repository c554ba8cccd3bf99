// SPDX-License-Identifier: MIT
//
// The table of verbs, in the order of --help.
#include "cli/verbs.hpp"

#include <algorithm>
#include <cstdio>

namespace rehearse::cli {
namespace {

constexpr Verb table[] = {
    {"cc", "compile and link C programs for MPI (mpicc)", run_c_compiler},
    {"c++", "compile and link C++ programs for MPI (mpicxx, mpic++)", run_cxx_compiler},
    {"mpiexec", "run with the options of other MPI launchers (mpiexec, mpirun)", run_mpiexec},
};

}  // namespace

std::span<const Verb> verbs() { return table; }

const Verb* find_verb(std::string_view name) {
  const auto found = std::ranges::find(table, name, &Verb::name);
  return found == std::end(table) ? nullptr : found;
}

int input_error(std::string_view text) {
  std::fprintf(stderr, "rehearse: error: %.*s\n", static_cast<int>(text.size()), text.data());
  return 2;
}

}  // namespace rehearse::cli
