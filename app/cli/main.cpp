// SPDX-License-Identifier: MIT
//
// The `rehearse` program: picks a verb (verbs.cpp) and ends with its exit status. Under the names mpicc, mpicxx,
// mpic++, mpifort, mpif90, mpif77, mpiexec and mpirun (links in libexec/rehearse/bin) it is the verb of that name.
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/verbs.hpp"

namespace {

struct OtherName {
  std::string_view program;
  std::string_view verb;
};

constexpr std::array other_names = {OtherName{"mpicc", "cc"},        OtherName{"mpicxx", "c++"},
                                    OtherName{"mpic++", "c++"},      OtherName{"mpifort", "fortran"},
                                    OtherName{"mpif90", "fortran"},  OtherName{"mpif77", "fortran"},
                                    OtherName{"mpiexec", "mpiexec"}, OtherName{"mpirun", "mpiexec"}};

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  std::string_view name = argv[0];
  name.remove_prefix(name.rfind('/') + 1);
  for (const OtherName& other : other_names) {
    if (name == other.program) arguments.emplace(arguments.begin(), other.verb);
  }
  return rehearse::cli::run_command_line(arguments);
}
