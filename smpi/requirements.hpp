// SPDX-License-Identifier: MIT
//
// The functions that a program and its private libraries import from others: those of MPI, and those that a rank must
// not call. The called functions are a part of these.
//
// Errors: as load_program(): the program cannot be loaded, and why.
// Limits: what is looked up at run time (dlsym) is not seen. Of system libraries only MPI's names count: that
//         libstdc++ could start threads says nothing about the program.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simcore/support/result.hpp"
#include "smpi/process.hpp"

namespace rehearse::smpi {

struct RequiredFunction {
  enum class Support : std::uint8_t {
    implemented,
    unsupported,  // known, and a call ends the rank with its name
    unknown       // nobody has it: the program does not start
  };
  std::string name;
  Support support = Support::implemented;
  std::string reason;                  // why it is not implemented; empty: it is
  std::vector<std::string> needed_by;  // the files that refer to it
};

// Sorted by name.
Result<std::vector<RequiredFunction>> required_functions(const LaunchSpec& spec);

}  // namespace rehearse::smpi
