// SPDX-License-Identifier: MIT
//
// The `rehearse` program: picks a verb (verbs.cpp) and ends with its exit status. Under the names mpicc, mpicxx,
// mpic++, mpiexec and mpirun (links in libexec/rehearse/bin) it is the verb of that name. Under mpif77, mpif90 and
// mpifort it reports that Fortran is not supported.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/fortran_wrapper.hpp"
#include "app/cli/verbs.hpp"

namespace {

struct OtherName {
  std::string_view program;
  std::string_view verb;
};

constexpr std::array other_names = {OtherName{"mpicc", "cc"}, OtherName{"mpicxx", "c++"}, OtherName{"mpic++", "c++"},
                                    OtherName{"mpiexec", "mpiexec"}, OtherName{"mpirun", "mpiexec"}};
constexpr std::array<std::string_view, 3> fortran_names = {"mpif77", "mpif90", "mpifort"};

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  std::string_view name = argv[0];
  name.remove_prefix(name.rfind('/') + 1);
  for (const OtherName& other : other_names) {
    if (name == other.program) arguments.emplace(arguments.begin(), other.verb);
  }
  if (std::ranges::find(fortran_names, name) != fortran_names.end()) {
    return rehearse::cli::run_fortran_compiler(arguments);
  }
  return rehearse::cli::run_command_line(arguments);
}
