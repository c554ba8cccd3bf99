// SPDX-License-Identifier: MIT
//
// mpif77, mpif90 and mpifort: build systems look for these names. Rehearse has them so that no wrapper of another
// library compiles a program against another mpi.h without a message.
#include <algorithm>
#include <array>
#include <filesystem>
#include <string>

#include "app/cli/fortran_wrapper.hpp"
#include "app/cli/message.hpp"

namespace rehearse::cli {

std::string fortran_source(const Arguments& arguments) {
  // The suffixes of Fortran, in free and in fixed form, for gcc's driver.
  constexpr std::array suffixes = {".f", ".for", ".ftn", ".f77", ".f90", ".f95", ".f03", ".f08",
                                   ".F", ".FOR", ".FTN", ".F77", ".F90", ".F95", ".F03", ".F08"};
  const auto found = std::ranges::find_if(arguments, [&](const std::string& word) {
    return !word.starts_with('-') &&
           std::ranges::find(suffixes, std::filesystem::path(word).extension()) != suffixes.end();
  });
  return found == arguments.end() ? "" : *found;
}

int run_fortran_compiler(const Arguments& arguments) {
  const std::string source = fortran_source(arguments);
  return report_error({(source.empty() ? "" : source + ": ") + std::string(fortran_refusal)});
}

}  // namespace rehearse::cli
